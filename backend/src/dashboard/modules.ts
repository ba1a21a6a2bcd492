import type { Core } from '../core.js';

/** The modules of the core that a page uses. Pages name them, and do not know the core. */
export type Modules<Name extends keyof Core> = Pick<Core, Name>;
