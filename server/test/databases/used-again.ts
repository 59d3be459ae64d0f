import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { KeptClients } from './kept-clients.ts'

/** A database of PostgreSQL that test servers of this process use one after the other. */
export type UsedAgain = { url: string; connection: postgres.Sql; clients: KeptClients }

/** Whose backends have this long to end, in milliseconds; they do in one or two. */
const PATIENCE = 300

/** Bytes of all tables above which a new copy takes less time than deleting the rows, and reading past them later. */
const LARGE = 2 * 1024 * 1024

/**
 * Makes a fresh copy of the template one that can be used again: adds a schema with a function that puts back the
 * rows that it has, and a note of every change of the schema. Needs a superuser, as the accounts of temporary clusters are.
 */
export async function makeUsableAgain(url: string): Promise<UsedAgain> {
  // One connection for the life of the database, on which the function stays compiled. As a replica it checks no references.
  const connection = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'used again', session_replication_role: 'replica' },
  })
  const tables = await connection<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public'`
  const content = tables.map(
    ({ name }) => `select '${name}' as name, jsonb_agg(t)::text as rows from public."${name}" t`,
  )
  const filled = await connection.unsafe<{ name: string; rows: string | null }[]>(content.join(' union all '))
  const [layout] = await connection.unsafe<{ all_of_it: string }[]>(LAYOUT)
  // No tables, which tests would find that look at all tables. A sequence stays advanced where the change is rolled back.
  await connection.unsafe(`begin;
    create schema used_again;
    create sequence used_again.changes;
    create function used_again.put_back() returns boolean language plpgsql as $$ begin
      if (select is_called from used_again.changes) or (${LAYOUT}) <> '${layout?.all_of_it}' or (${BYTES}) > ${LARGE}
        then return false; end if;
      ${tables.map(({ name }) => `if exists (select from public."${name}") then delete from public."${name}"; end if;`).join('\n')}
      ${filled.map(({ name, rows }) => (rows ? `insert into public."${name}" select * from jsonb_populate_recordset(null::public."${name}", $rows$${rows}$rows$);` : '')).join('\n')}
      return true;
    end $$;
    create function used_again.note() returns event_trigger language plpgsql as $$ begin
      perform nextval('used_again.changes');
    end $$;
    create event trigger used_again on ddl_command_end execute function used_again.note();
    -- PostgreSQL would plan a statement five times for each connection before it keeps a plan.
    alter database ${new URL(url).pathname.slice(1)} set plan_cache_mode = force_generic_plan;
    commit`)
  return { url, connection, clients: new KeptClients(url) }
}

const TABLES = `from pg_class where relnamespace = 'public'::regnamespace`
/** Effects of TRUNCATE, VACUUM and ANALYZE, which fire no event trigger. */
const LAYOUT = `select md5(string_agg(pg_class::text, ' ' order by oid)) as all_of_it ${TABLES}`
const BYTES = `select sum(pg_relation_size(oid)) ${TABLES} and relkind = 'r'`

/** Gives a database the rows of a fresh one; false when it cannot be used again, because of what a test did to it. */
export async function putBack({ connection, clients }: UsedAgain): Promise<boolean> {
  const began = performance.now()
  while (await hasOthers(connection, clients.pids)) {
    // A test has not closed a server, or a process of its own still runs.
    if (performance.now() - began > PATIENCE) return false
    await pause(2)
  }
  const [row] = await connection.unsafe<{ done: boolean }[]>('select used_again.put_back() as done')
  return row?.done === true
}

async function hasOthers(connection: postgres.Sql, kept: number[]): Promise<boolean> {
  const rows = await connection.unsafe(`select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and (state <> 'idle' or pid not in (${[0, ...kept].join()})) limit 1`)
  return rows.length > 0
}
