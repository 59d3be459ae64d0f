import { adminOrganizations, developers, LIMITS } from '@vrata/contract'
import type { Config } from '../config/config.ts'
import type { AppDeps } from '../deps.ts'
import * as organizations from '../features/admin-organizations/public.ts'
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

/** `vrata organization list [QUERY] [--status active|pending|rejected|disabled]`: one line for each organization, newest first. */
export async function listOrganizations(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, { status: { type: 'string' }, ...JSON_ONLY })
  const status = adminOrganizations.ORGANIZATION_STATUSES.find((one) => one === values.status)
  if (values.status !== undefined && !status)
    throw new CommandError(`--status must be one of ${adminOrganizations.ORGANIZATION_STATUSES.join(', ')}.`, {
      exitCode: 2,
    })
  const selection = { query: positionals.join(' ') || undefined, status }
  await withDeps(config, async (deps) => {
    let cursor: string | undefined
    do {
      const input = { ...selection, cursor, limit: LIMITS.page_max }
      const page = await organizations.listAdminOrganizations(deps, undefined, input)
      for (const one of page.data) console.log(values.json ? JSON.stringify(one) : lineOf(one))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  })
}

function lineOf({ id, name, ...one }: adminOrganizations.AdminOrganization): string {
  const counts = `${one.members} members, ${one.clients} apps`
  return [id, one.status.padEnd(8), name, `(${counts})`, one.verified && 'verified'].filter(Boolean).join('  ')
}

/** `vrata organization show ID`: what operators see of an organization, as JSON. */
export async function showOrganization(config: Config, args: string[]): Promise<void> {
  await withOrganization(config, args, async (deps, id, json) => {
    const one = await organizations.getAdminOrganization(deps, undefined, { id })
    console.log(JSON.stringify(one, null, json ? undefined : 2))
  })
}

/** `vrata organization create --name NAME --owner EMAIL`: needs no approval; prints the id. */
export async function createOrganization(config: Config, args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const { values, positionals } = parseCommand(args, { name: text, owner: text, ...JSON_ONLY })
  const input = developers.createDeveloper.body.safeParse({ name: values.name })
  const { owner } = values
  requireNoArguments(positionals)
  if (!input.success) throw wrongOption('name', values.name)
  if (!owner) throw wrongOption('owner', owner)
  await withDeps(config, async (deps) => {
    const actor = { command: 'vrata organization create' }
    const given = { ...input.data, owner }
    const made = deps.transaction((tx) => organizations.createAdminOrganization(tx, actor, given))
    const one = await explained(made, REFUSALS, owner)
    console.log(values.json ? JSON.stringify(one) : one.id)
  })
}

const REFUSALS: Partial<Record<string, string>> = {
  not_found: 'No account with a confirmed address is {subject}.',
  limit_reached: '{subject} owns as many organizations as one person may.',
  second_factor_required:
    '{subject} needs a second factor or passkey first, because the policy requires it of developers.',
}

/** `vrata organization approve ID`. */
export async function approveOrganization(config: Config, args: string[]): Promise<void> {
  await decide(config, args, true)
}

/** `vrata organization reject ID [--reason TEXT]`. */
export async function rejectOrganization(config: Config, args: string[]): Promise<void> {
  await decide(config, args, false)
}

async function decide(config: Config, args: string[], approved: boolean): Promise<void> {
  const options = approved ? {} : { reason: { type: 'string' } as const }
  await withOrganization(
    config,
    args,
    async (deps, id, json, reason) => {
      const actor = { command: `vrata organization ${approved ? 'approve' : 'reject'}` }
      const input = { id, approved, reason }
      const one = await deps.transaction((tx) => organizations.updateAdminOrganization(tx, actor, input))
      const done = approved ? 'is approved' : 'is not approved; sign-ins and tokens of its apps have ended'
      console.log(json ? JSON.stringify(one) : `${one.name} ${done}.`)
    },
    options,
  )
}

/** `vrata organization disable ID`. */
export async function disableOrganization(config: Config, args: string[]): Promise<void> {
  await setEnabled(config, args, false)
}

/** `vrata organization enable ID`. */
export async function enableOrganization(config: Config, args: string[]): Promise<void> {
  await setEnabled(config, args, true)
}

async function setEnabled(config: Config, args: string[], enabled: boolean): Promise<void> {
  await withOrganization(config, args, async (deps, id, json) => {
    const actor = { command: `vrata organization ${enabled ? 'enable' : 'disable'}` }
    const one = await deps.transaction((tx) => organizations.updateAdminOrganization(tx, actor, { id, enabled }))
    const done = enabled ? 'is enabled' : 'is disabled; sign-ins and tokens of its apps have ended'
    console.log(json ? JSON.stringify(one) : `${one.name} ${done}.`)
  })
}

async function withOrganization(
  config: Config,
  args: string[],
  work: (deps: AppDeps, id: string, json: boolean, reason: string | undefined) => Promise<void>,
  options: { reason?: { type: 'string' } } = {},
): Promise<void> {
  const { values, positionals } = parseCommand(args, { ...options, ...JSON_ONLY })
  const id = onlyArgument(positionals, 'the id of one organization')
  const reason = rejectionReason(values)
  await withDeps(config, async (deps) => {
    const done = work(deps, id, values.json === true, reason)
    await explained(done, { not_found: 'No organization has the id {subject}.' }, id)
  })
}
