import type { Core } from '../core.js';

/** The modules of the core that a page uses. Each page names its modules, and has no access to the others. */
export type Modules<Name extends keyof Core> = Pick<Core, Name>;
