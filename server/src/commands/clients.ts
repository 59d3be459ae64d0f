import { adminClients, clients, LIMITS } from '@vrata/contract'
import type { Config } from '../config/config.ts'
import type { AppDeps } from '../deps.ts'
import * as apps from '../features/admin-clients/public.ts'
import { CommandError, explained } from './command-error.ts'
import {
  JSON_ONLY,
  onlyArgument,
  parseCommand,
  rejectionReason,
  requireNoArguments,
  wrongOption,
} from './command-line.ts'
import { withDeps } from './with-deps.ts'

const TEXT = { type: 'string' } as const

/** `vrata client list [QUERY] [--status enabled|pending|rejected|disabled] [--organization ID]`: one line for each app, by name. */
export async function listClients(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, { status: TEXT, organization: TEXT, ...JSON_ONLY })
  const status = adminClients.CLIENT_STATUSES.find((one) => one === values.status)
  if (values.status !== undefined && !status)
    throw new CommandError(`--status must be one of ${adminClients.CLIENT_STATUSES.join(', ')}.`, { exitCode: 2 })
  const selection = { query: positionals.join(' ') || undefined, status, organization: values.organization }
  await withDeps(config, async (deps) => {
    let cursor: string | undefined
    do {
      const page = await apps.listAdminClients(deps, undefined, { ...selection, cursor, limit: LIMITS.page_max })
      for (const app of page.data) console.log(values.json ? JSON.stringify(app) : lineOf(app))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  })
}

function lineOf({ client_id, name, organization, ...app }: adminClients.AdminClient): string {
  const marks = [
    app.approval ?? (app.enabled ? undefined : 'disabled'),
    app.verified && 'verified',
    app.trusted && 'trusted',
  ]
  return [client_id, app.type.padEnd(7), `${name} (${organization.name}, ${organization.id})`, ...marks]
    .filter(Boolean)
    .join('  ')
}

/** `vrata client show ID`: what operators see of an app, as JSON. */
export async function showClient(config: Config, args: string[]): Promise<void> {
  await withClient(config, args, JSON_ONLY, async (deps, id, { json }) => {
    const app = await explained(apps.getAdminClient(deps, undefined, { id }), SENTENCES, id)
    console.log(JSON.stringify(app, null, json ? undefined : 2))
  })
}

/** `vrata client create --organization ID --name NAME [--type web] [--redirect-uri URI]`: prints id and secret. */
export async function createClient(config: Config, args: string[]): Promise<void> {
  const options = { organization: TEXT, name: TEXT, type: TEXT, 'redirect-uri': TEXT, ...JSON_ONLY }
  const { values, positionals } = parseCommand(args, options)
  const { organization: developer_id } = values
  const input = clients.createClient.body.safeParse({
    name: values.name,
    ...(values.type === undefined ? {} : { type: values.type }),
    ...(values['redirect-uri'] === undefined ? {} : { redirect_uri: values['redirect-uri'] }),
  })
  requireNoArguments(positionals)
  if (!developer_id) throw wrongOption('organization', developer_id)
  if (!input.success) {
    const option = String(input.error.issues[0]?.path[0]).replace('_', '-') as 'name' | 'type' | 'redirect-uri'
    throw wrongOption(option, values[option])
  }
  await withDeps(config, async (deps) => {
    const actor = { command: 'vrata client create' }
    const create = deps.transaction((tx) => apps.createAdminClient(tx, actor, { developer_id, ...input.data }))
    const app = await explained(create, SENTENCES, developer_id)
    if (values.json) return console.log(JSON.stringify(app))
    console.log(`Client ID: ${app.client_id}`)
    if (app.client_secret !== null) console.log(`Client secret, shown only now: ${app.client_secret}`)
  })
}

/** `vrata client approve ID`. */
export async function approveClient(config: Config, args: string[]): Promise<void> {
  await decide(config, args, true)
}

/** `vrata client reject ID [--reason TEXT]`. */
export async function rejectClient(config: Config, args: string[]): Promise<void> {
  await decide(config, args, false)
}

async function decide(config: Config, args: string[], approved: boolean): Promise<void> {
  const options = approved ? JSON_ONLY : { reason: TEXT, ...JSON_ONLY }
  const reason = rejectionReason(parseCommand(args, options).values)
  await withClient(config, args, options, async (deps, id, { json }) => {
    const actor = { command: `vrata client ${approved ? 'approve' : 'reject'}` }
    const change = deps.transaction((tx) => apps.updateAdminClient(tx, actor, { id, approved, reason }))
    const app = await explained(change, SENTENCES, id)
    const done = approved ? 'is approved' : 'is not approved; sign-ins and tokens have ended'
    console.log(json ? JSON.stringify(app) : `${app.name} ${done}.`)
  })
}

/** `vrata client disable ID`. */
export async function disableClient(config: Config, args: string[]): Promise<void> {
  await setEnabled(config, args, false)
}

/** `vrata client enable ID`. */
export async function enableClient(config: Config, args: string[]): Promise<void> {
  await setEnabled(config, args, true)
}

async function setEnabled(config: Config, args: string[], enabled: boolean): Promise<void> {
  await withClient(config, args, JSON_ONLY, async (deps, id, { json }) => {
    const actor = { command: `vrata client ${enabled ? 'enable' : 'disable'}` }
    const change = deps.transaction((tx) => apps.updateAdminClient(tx, actor, { id, enabled }))
    const app = await explained(change, SENTENCES, id)
    const done = enabled ? 'is enabled' : 'is disabled; sign-ins and tokens have ended'
    console.log(json ? JSON.stringify(app) : `${app.name} ${done}.`)
  })
}

/** `vrata client secret ID [--grace]`: replaces the secret and prints the new one. */
export async function replaceSecret(config: Config, args: string[]): Promise<void> {
  await withClient(config, args, { grace: { type: 'boolean' }, ...JSON_ONLY }, async (deps, id, { grace, json }) => {
    const actor = { command: 'vrata client secret' }
    const input = { id, grace: grace === true }
    const replaced = await explained(
      deps.transaction((tx) => apps.replaceAdminSecret(tx, actor, input)),
      SENTENCES,
      id,
    )
    console.log(json ? JSON.stringify(replaced) : replaced.client_secret)
  })
}

type Options = NonNullable<Parameters<typeof parseCommand>[1]>

async function withClient(
  config: Config,
  args: string[],
  options: Options,
  work: (deps: AppDeps, id: string, values: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const { values, positionals } = parseCommand(args, options)
  const id = onlyArgument(positionals, 'the id of one app')
  await withDeps(config, (deps) => work(deps, id, values as Record<string, unknown>))
}

const SENTENCES: Partial<Record<string, string>> = {
  not_found: 'No registered app has the id {subject}.',
  no_developer: 'No organization has the id {subject}.',
  limit_reached: 'The organization {subject} has as many apps as it may.',
  organization_disabled: 'The organization of this app is disabled. Enable it first.',
  organization_not_approved: 'The organization {subject} is not approved. Approve it first.',
  not_approved: 'This app is not approved. Approve it first.',
  disabled_by_operator: 'The organization {subject} is disabled. Enable it first.',
  invalid_request: 'The redirect URI does not fit this type of app.',
}
