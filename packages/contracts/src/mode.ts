import { MODES } from '@switchboard/core';
import { z } from 'zod';

export const mode = z.enum(MODES, 'must be live or test').meta({
  id: 'Mode',
  description: '`test`: in test mode, where nothing reaches a provider or a person',
});
