import type { TestServer } from './test-server.ts'

/** Number of events in the audit log. */
export async function countEvents({ store }: Pick<TestServer, 'store'>): Promise<number> {
  const { count } = await store.read
    .selectFrom('audit_events')
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
