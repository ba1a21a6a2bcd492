// Types for `require`, which cannot import those of an ES module directly.
import type * as passbell from './index.js' with { 'resolution-mode': 'import' };
export type * from './index.js' with { 'resolution-mode': 'import' };

export declare const Passbell: typeof passbell.Passbell;
export type Passbell = passbell.Passbell;
export declare const PassbellError: typeof passbell.PassbellError;
export type PassbellError = passbell.PassbellError;
export declare const verifyWebhook: typeof passbell.verifyWebhook;
