/**
 * Returns the CPU time that this process spends on `work`, in milliseconds. Unlike elapsed time, it does not
 * depend on other processes.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
