export function once(stamp: string, files: readonly string[], work: () => void): void;
export function sourcesOf(folder: string): string[];
export function isSource(path: string): boolean;
export function npm(cwd: string, ...args: string[]): string;
export function installToolbox(lockFolder: string, target: string, notice: string): void;
