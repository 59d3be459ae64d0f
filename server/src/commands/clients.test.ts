import { afterEach, expect, test, vi } from 'vitest'
import { createOrganization } from '../../test/organization.ts'
import { type Command, runCommand, startForCommands } from '../../test/processes/commands.ts'
import { registerConfirmedUser } from '../../test/registered-user.ts'
import * as clients from './clients.ts'
import type { CommandError } from './command-error.ts'
import * as organizations from './organizations.ts'

afterEach(() => vi.restoreAllMocks())

test('apps and organizations are listed, created and disabled from the command line, and recorded', async () => {
  const server = await startForCommands()
  const owner = await registerConfirmedUser(server)
  const { developer_id } = await createOrganization(server, owner, 'Kraški studio')
  const named = ['--organization', developer_id, '--name', 'Notes', '--redirect-uri', 'https://notes.example/callback']
  const created = JSON.parse(await runCommand(server, clients.createClient, ...named, '--json'))
  expect(created).toMatchObject({ name: 'Notes', enabled: true, client_secret: expect.stringMatching(/^vrts_/) })
  const { client_id } = created
  expect(await runCommand(server, clients.listClients, 'note')).toContain(`${client_id}  web      Notes (Kraški studio`)
  const shown = JSON.parse(await runCommand(server, clients.showClient, client_id))
  expect(shown).not.toHaveProperty('client_secret')
  expect(shown).toMatchObject({ client_id, access: { mode: 'everyone' } })
  const secret = await runCommand(server, clients.replaceSecret, client_id, '--grace')
  expect(secret).toMatch(/^vrts_/)
  expect(secret).not.toBe(created.client_secret)
  expect(await runCommand(server, clients.disableClient, client_id)).toContain('Notes is disabled')
  expect(await runCommand(server, clients.listClients, '--status', 'disabled')).toContain('disabled')
  expect(await runCommand(server, clients.enableClient, client_id)).toContain('Notes is enabled')

  expect(await runCommand(server, organizations.listOrganizations, 'kraski')).toContain('(1 members, 1 apps)')
  expect(await runCommand(server, organizations.disableOrganization, developer_id)).toContain('is disabled')
  await expect(runCommand(server, clients.enableClient, client_id)).rejects.toThrow('Enable it first.')
  await expect(runCommand(server, clients.createClient, ...named)).rejects.toThrow('is disabled. Enable it first.')
  expect(JSON.parse(await runCommand(server, organizations.showOrganization, developer_id)).status).toBe('disabled')
  expect(JSON.parse(await runCommand(server, organizations.enableOrganization, developer_id, '--json')).enabled).toBe(
    true,
  )

  const events = await server.store.db
    .selectFrom('audit_events')
    .select(['type', 'actor_name'])
    .where('actor_kind', '=', 'command')
    .orderBy('position')
    .execute()
  expect(events.map(({ type, actor_name }) => `${type} ${actor_name}`)).toEqual([
    'client.created vrata client create',
    'client.secret_regenerated vrata client secret',
    'client.changed vrata client disable',
    'client.changed vrata client enable',
    'organization.changed vrata organization disable',
    'organization.changed vrata organization enable',
  ])
})

test('wrong arguments exit with 2, unknown apps and organizations with 1', async () => {
  const server = await startForCommands()
  const failure = async (command: Command, ...args: string[]) =>
    (await runCommand(server, command, ...args).catch((error: CommandError) => error)) as CommandError
  for (const [command, ...args] of [
    [clients.showClient],
    [clients.createClient, '--name', 'Notes'],
    [clients.createClient, '--organization', 'x', '--name', 'Notes', '--type', 'fax'],
    [clients.listClients, '--status', 'asleep'],
    [clients.replaceSecret, 'a', 'b'],
    [clients.rejectClient, 'vrt_nobody', '--reason', 'x'.repeat(501)],
    [organizations.rejectOrganization, 'nobody', '--reason', 'x'.repeat(501)],
    [organizations.disableOrganization],
    [organizations.listOrganizations, '--status', 'asleep'],
  ] as const)
    expect(await failure(command, ...args)).toMatchObject({ name: 'CommandError', exitCode: 2 })
  for (const [command, ...args] of [
    [clients.showClient, 'vrt_nobody'],
    [clients.disableClient, 'vrt_nobody'],
    [clients.replaceSecret, 'vrt_nobody'],
    [clients.createClient, '--organization', 'nobody', '--name', 'Notes'],
    [organizations.enableOrganization, 'nobody'],
  ] as const)
    expect(await failure(command, ...args)).toMatchObject({ name: 'CommandError', exitCode: 1 })
})

test('organizations are created, approved and rejected from the command line, and what waits is listed', async () => {
  const server = await startForCommands()
  const owner = await registerConfirmedUser(server)
  const named = ['--name', 'Kraški studio', '--owner', owner.email]
  const developer_id = await runCommand(server, organizations.createOrganization, ...named)
  await expect(
    runCommand(server, organizations.createOrganization, '--name', 'B', '--owner', 'x@y.example'),
  ).rejects.toThrow('No account with a confirmed address is x@y.example.')
  const app = await runCommand(
    server,
    clients.createClient,
    '--organization',
    developer_id,
    '--name',
    'Notes',
    '--json',
  )
  const { client_id } = JSON.parse(app)
  const because = ['--reason', 'Not yet']
  expect(await runCommand(server, clients.rejectClient, client_id, ...because)).toContain('Notes is not approved')
  expect(await runCommand(server, clients.listClients, '--status', 'rejected')).toContain(client_id)
  await expect(runCommand(server, clients.enableClient, client_id)).rejects.toThrow('Approve it first.')
  expect(await runCommand(server, clients.approveClient, client_id)).toContain('Notes is approved')
  expect(await runCommand(server, organizations.rejectOrganization, developer_id, ...because)).toContain(
    'is not approved',
  )
  expect(JSON.parse(await runCommand(server, organizations.showOrganization, developer_id))).toMatchObject({
    status: 'rejected',
    approval_reason: 'Not yet',
  })
  const second = ['--organization', developer_id, '--name', 'Second']
  await expect(runCommand(server, clients.createClient, ...second)).rejects.toThrow(
    'is not approved. Approve it first.',
  )
  expect(await runCommand(server, organizations.approveOrganization, developer_id)).toContain('is approved')
})
