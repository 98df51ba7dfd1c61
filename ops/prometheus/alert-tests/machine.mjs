// Each series has sixteen hours of samples, one every ten minutes. The first sample is at time 0, so a
// job that last succeeded three days ago has a negative timestamp.
export const ruleFile = 'machine-alerts.yml';
export const interval = '10m';
export const evalTime = '15h';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const disk = (name) =>
  `node_filesystem_${name}{job="node",instance="m",device="/dev/vda1",fstype="ext4",mountpoint="/"}`;
const nightly = (name) => `switchboard_${name}{job="node",instance="m"}`;
const probe = (name) => `probe_${name}{job="public-url",instance="https://messages.example.com"}`;
const up = (job) => `up{job="${job}",instance="m"}`;
const always = (value) => `${value}x100`;

export const healthy = {
  [up('node')]: always(1),
  [up('public-url')]: always(1),
  [nightly('backup_last_success_timestamp_seconds')]: always(-2 * HOUR),
  [nightly('backup_last_run_success')]: always(1),
  [nightly('restore_test_last_success_timestamp_seconds')]: always(-5 * DAY),
  [nightly('restore_test_last_run_success')]: always(1),
  [nightly('retention_last_success_timestamp_seconds')]: always(-2 * HOUR),
  [nightly('retention_last_run_success')]: always(1),
  [disk('size_bytes')]: always(100e9),
  [disk('avail_bytes')]: always(30e9),
  [disk('files')]: always(1e6),
  [disk('files_free')]: always(9e5),
  [probe('success')]: always(1),
  [probe('ssl_earliest_cert_expiry')]: always(60 * DAY),
};

export const faults = [
  { alerts: ['ExporterDown'], fault: { [up('node')]: always(0) } },
  {
    alerts: ['BackupOld'],
    fault: { [nightly('backup_last_success_timestamp_seconds')]: always(-12 * HOUR) },
  },
  { alerts: ['BackupFailed'], fault: { [nightly('backup_last_run_success')]: always(0) } },
  {
    alerts: ['BackupNotReported'],
    fault: { [nightly('backup_last_success_timestamp_seconds')]: '_x100' },
  },
  {
    alerts: ['BackupNotReported'],
    fault: { [nightly('restore_test_last_success_timestamp_seconds')]: '_x100' },
  },
  {
    alerts: ['RestoreTestOld'],
    fault: { [nightly('restore_test_last_success_timestamp_seconds')]: always(-9 * DAY) },
  },
  {
    alerts: ['RestoreTestFailed'],
    fault: { [nightly('restore_test_last_run_success')]: always(0) },
  },
  {
    alerts: ['RetentionOld'],
    fault: { [nightly('retention_last_success_timestamp_seconds')]: always(-40 * HOUR) },
  },
  { alerts: ['RetentionFailed'], fault: { [nightly('retention_last_run_success')]: always(0) } },
  {
    // A service that keeps everything runs no retention.
    alerts: [],
    fault: {
      [nightly('retention_last_success_timestamp_seconds')]: '_x100',
      [nightly('retention_last_run_success')]: '_x100',
    },
  },
  { alerts: ['DiskFull', 'DiskFillsUp'], fault: { [disk('avail_bytes')]: '30e9-250e6x100' } },
  { alerts: ['DiskFull'], fault: { [disk('files_free')]: always(9e4) } },
  // 15 GB of 30 GB in 15 hours.
  { alerts: ['DiskFillsUp'], fault: { [disk('avail_bytes')]: '30e9-150e6x100' } },
  // On a nearly empty disk the same growth is a backup or a copy, not a disk that fills up.
  { alerts: [], fault: { [disk('avail_bytes')]: '90e9-150e6x100' } },
  { alerts: ['PublicUrlFails'], fault: { [probe('success')]: always(0) } },
  {
    alerts: ['CertificateExpires'],
    fault: { [probe('ssl_earliest_cert_expiry')]: always(15 * DAY) },
  },
  {
    alerts: ['CertificateExpires', 'CertificateExpiresNow'],
    fault: { [probe('ssl_earliest_cert_expiry')]: always(2 * DAY) },
  },
];
