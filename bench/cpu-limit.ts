import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

/** Microseconds: short, so that a limited process does not pause for long. */
const PERIOD = 10_000

/**
 * Limits processes to a share of one core each, such as 0.25, by a control group of Linux (version 1 or 2, see `cgroups(7)`). It needs root.
 * Returns a function that ends the limit.
 */
export function limitCpu(pids: readonly number[], share: number): () => void {
  const version1 = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_quota_us')
  const parent = version1 ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup'
  const groups = pids.map((pid) => {
    const group = `${parent}/vrata-bench-${pid}`
    mkdirSync(group)
    if (version1) {
      writeFileSync(`${group}/cpu.cfs_period_us`, String(PERIOD))
      writeFileSync(`${group}/cpu.cfs_quota_us`, String(Math.round(share * PERIOD)))
    } else writeFileSync(`${group}/cpu.max`, `${Math.round(share * PERIOD)} ${PERIOD}`)
    writeFileSync(`${group}/cgroup.procs`, String(pid))
    return { pid, group }
  })
  return () => {
    for (const { pid, group } of groups) {
      writeFileSync(`${parent}/cgroup.procs`, String(pid))
      rmdirSync(group)
    }
  }
}
