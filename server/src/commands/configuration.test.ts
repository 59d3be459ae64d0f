import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { testEngine } from '../../test/databases/template-db.ts'
import { halves } from '../../test/pictures.ts'
import { type Command, runCommand, startForCommands } from '../../test/processes/commands.ts'
import { registerConfirmedUser } from '../../test/registered-user.ts'
import { connectSocket } from '../../test/sockets.ts'
import { verifyAudit } from '../features/audit/public.ts'
import { batches } from '../lib/batches.ts'
import { newId } from '../lib/ids.ts'
import type { CommandError } from './command-error.ts'
import { applyConfigurationFile, exportConfiguration } from './configuration.ts'

afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

async function start() {
  const server = await startForCommands()
  const folder = await mkdtemp(join(server.config.data_dir, 'documents-'))
  return { server, file: (name: string) => join(folder, name) }
}

test('more members than one statement has are written, or with a bad one none', async () => {
  const { server, file } = await start()
  const { db } = server.store
  const person = await registerConfirmedUser(server)
  const { id } = person.user
  const like = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const members = Array.from({ length: 1200 }, (_, i) => `member${i}@example.com`)
  for (const some of batches(members)) {
    const copies = some.map((email) => ({
      ...like,
      id: newId(server.clock),
      email,
      username: null,
      username_key: null,
    }))
    await db.insertInto('users').values(copies).execute()
  }
  const apply = async (own: string[]) => {
    await writeFile(file('members.json'), JSON.stringify({ groups: [{ key: 'staff', name: 'Staff', members: own }] }))
    const printed = await runCommand(server, applyConfigurationFile, file('members.json'), '--json')
    vi.restoreAllMocks()
    return JSON.parse(printed).changes.length as number
  }
  await expect(apply([...members, 'nobody@example.com'])).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/nothing has changed\.\ngroups\.0\.members\.1200 \(line 1, column \d+\): /),
  })
  expect(await apply(members)).toBe(1201)
  const groups = db.selectFrom('users').select('groups').where('email', '=', 'member7@example.com')
  expect(await groups.executeTakeFirst()).toEqual({ groups: '["staff"]' })
  expect(await apply(members.slice(1))).toBe(1)
  expect(await apply([])).toBe(1199)
  // Open pages of all of them are notified before the command ends. On SQLite commands do not notify a running server.
  if (testEngine === 'postgres') {
    const page = await connectSocket(server, person)
    expect(await apply([...members, person.email])).toBe(1201)
    await page.receives('activity:created')
  }
  expect(await verifyAudit(db)).not.toHaveProperty('broken')
})

test('settings are exported, changed in a file, tried and applied from the command line', async () => {
  const { server, file } = await start()
  const { email } = await registerConfirmedUser(server)
  await runCommand(server, exportConfiguration, file('vrata.yaml'))
  const text = await readFile(file('vrata.yaml'), 'utf8')
  expect(text).toMatch(/^version: 1\npolicy:\n {2}registration: open\n/)
  expect(await runCommand(server, applyConfigurationFile, file('vrata.yaml'))).toBe(
    'Nothing differs from the document.',
  )
  expect(JSON.parse(await runCommand(server, exportConfiguration, '--format', 'json', '--members'))).toMatchObject({
    version: 1,
    groups: [],
  })

  // Some editors of Windows begin UTF-8 with a byte order mark.
  for (const name of ['windows.json', 'windows.yaml']) {
    await writeFile(file(name), '\u{feff}{"groups": []}')
    expect(await runCommand(server, applyConfigurationFile, file(name))).toBe('Nothing differs from the document.')
  }

  // A command may take its time, so it takes longer documents than a request does.
  await writeFile(file('long.json'), `{"groups": []${'\n'.repeat(20_001)}}`)
  expect(await runCommand(server, applyConfigurationFile, file('long.json'))).toBe('Nothing differs from the document.')

  await writeFile(file('logo.png'), await halves('png'))
  await writeFile(
    file('next.yaml'),
    `policy: {second_factor: everyone}
branding: {name: Kras, logo: logo.png}
groups: [{key: staff, name: Staff, members: [${email}]}]
`,
  )
  const tried = await runCommand(server, applyConfigurationFile, file('next.yaml'), '--dry-run')
  expect(tried).toContain(
    'policy.second_factor: "optional" → "everyone"\nbranding.name: null → "Kras"\nbranding.logo: null',
  )
  expect(tried).toContain('Of 1 people, 0 could not sign in any more, and 1 would have to set up a second factor.')
  expect(tried).toContain('Nothing was changed')
  expect(process.exitCode).toBe(3)
  process.exitCode = undefined
  expect(await runCommand(server, applyConfigurationFile, file('next.yaml'))).toContain('The document is applied.')
  expect(
    JSON.parse(await runCommand(server, applyConfigurationFile, file('next.yaml'), '--dry-run', '--json')),
  ).toEqual({
    changes: [],
  })
  expect(process.exitCode).toBeUndefined()
  const events = await server.store.db
    .selectFrom('audit_events')
    .select(['type', 'actor_name'])
    .where('actor_kind', '=', 'command')
    .orderBy('position')
    .execute()
  const types = ['policy.changed', 'branding.changed', 'group.created', 'user.group_added']
  expect(events).toEqual(types.map((type) => ({ type, actor_name: 'vrata config apply' })))
})

test('a bad file gets a sentence with line and column, and changes nothing', async () => {
  const { server, file } = await start()
  const failure = async (command: Command, ...args: string[]) =>
    (await runCommand(server, command, ...args).catch((error: CommandError) => error)) as CommandError
  const applied = async (name: string, text: string) => {
    await writeFile(file(name), text)
    return await failure(applyConfigurationFile, file(name))
  }
  for (const [name, text, message] of [
    [
      'a.yaml',
      'policy:\n  registration: never\n',
      /policy\.registration \(line 2, column 3\): Use one of these: open, domains, invited, closed\./,
    ],
    ['b.yaml', 'branding:\n  accent: #006867\n', /"accent" has no value.* \(line 2, column 3\)/],
    ['c.yaml', 'policy: [\n', /c\.yaml: The document is not well made: .*line \d, column \d/],
    ['d.json', '{"policy": {},}', /d\.json: The document is not well made/],
    ['e.json', '{\n  "polcy": {}\n}', /polcy \(line 2, column 3\): This value is not recognized/],
    [
      'text.txt',
      'hello\n',
      /text\.txt is no document of settings; "vrata config export" writes one\. Nothing has changed\.$/,
    ],
    ['list.json', '[1]', /list\.json is no document of settings; /],
    ['f.yaml', 'branding: {logo: missing.png}\n', /the picture of branding\.logo cannot be read/],
    [
      'g.yaml',
      'groups:\n  - key: a\n    name: A\n  - key: b\n',
      /groups\.1\.name \(line 4, column 5\): This field is required/,
    ],
    [
      'h.yaml',
      'groups:\n  - key: a\n    name: A\n    members: [nobody@example.com]\n',
      /groups\.0\.members\.0 \(line 4, column 15\)/,
    ],
  ] as const)
    expect(await applied(name, text)).toMatchObject({ message: expect.stringMatching(message), exitCode: 2 })
  const everybody = Array.from({ length: 1001 }, (_, at) => `  - {key: g${at}, name: G}\n`)
  expect(await applied('i.yaml', `groups:\n${everybody.join('')}`)).toMatchObject({ exitCode: 2 })
  for (const [command, ...args] of [
    [applyConfigurationFile],
    [applyConfigurationFile, file('missing.yaml')],
    [applyConfigurationFile, 'a', 'b'],
    [exportConfiguration, '--format', 'toml'],
    [exportConfiguration, 'a', 'b'],
    [exportConfiguration, '--dry-run'],
  ] as const)
    expect(await failure(command, ...args)).toMatchObject({ name: 'CommandError', exitCode: 2 })
  expect(JSON.parse(await runCommand(server, exportConfiguration, '--format', 'json'))).toMatchObject({
    policy: { registration: 'open' },
    branding: { accent: null },
    groups: [],
  })
})
