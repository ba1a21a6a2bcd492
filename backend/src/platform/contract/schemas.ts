import type { components } from './generated/api.js';
import type { components as manageComponents } from './generated/manage.js';

export type Schemas = components['schemas'];
export type ManageSchemas = manageComponents['schemas'];
