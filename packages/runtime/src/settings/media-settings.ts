import { optional, withDefault } from './declare-setting.ts';
import { httpBaseSetting, integerSetting, textSetting } from './setting-kinds.ts';

export const MEDIA_SETTINGS = {
  MEDIA_FOLDER: optional(textSetting('a folder'), {
    readBy: ['api', 'worker'],
    absent: 'no uploads, unless `MEDIA_S3_URL` is set',
    standalone: '`DATA_DIR/media`',
    description:
      'The folder of [uploaded files](deploy.md#uploaded-files). All API processes and workers must see the same folder.',
  }),
  MEDIA_S3_URL: optional(httpBaseSetting(), {
    readBy: ['api', 'worker'],
    absent: 'files are in `MEDIA_FOLDER`',
    description:
      'The address of a bucket of an S3-compatible service, for example `https://s3.eu-central-1.amazonaws.com/my-bucket`, in which uploaded files are stored instead of `MEDIA_FOLDER`.',
  }),
  MEDIA_S3_REGION: withDefault(textSetting('the name of a region'), 'us-east-1', {
    readBy: ['api', 'worker'],
    description: 'The region of the bucket.',
  }),
  MEDIA_S3_ACCESS_KEY_ID: optional(textSetting('the ID of an access key'), {
    readBy: ['api', 'worker'],
    absent: 'required with `MEDIA_S3_URL`',
    description: 'The access key, which may read, write and delete objects of the bucket.',
  }),
  MEDIA_S3_SECRET_ACCESS_KEY: optional(textSetting('the secret of the access key'), {
    readBy: ['api', 'worker'],
    absent: 'required with `MEDIA_S3_URL`',
    description: 'The secret of the access key in `MEDIA_S3_ACCESS_KEY_ID`.',
  }),
  MEDIA_LIMIT_WORKSPACE_MB: withDefault(integerSetting({ min: 5, max: 1_000_000 }), '5120', {
    readBy: ['api'],
    description: 'How many MB of uploaded files a workspace may have.',
  }),
};
