import type { components } from './generated/api.js';

export type Schemas = components['schemas'];
