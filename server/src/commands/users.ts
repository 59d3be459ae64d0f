import { adminUsers, LIMITS, Problem } from '@vrata/contract'
import * as f from '@vrata/contract/fields'
import type { Config } from '../config/config.ts'
import type { AppDeps, TransactionDeps } from '../deps.ts'
import { findUserByEmail, loginKey } from '../features/account/public.ts'
import * as people from '../features/admin-users/public.ts'
import { CommandError, explained } from './command-error.ts'
import { JSON_ONLY, onlyArgument, parseCommand, requireNoArguments, wrongOption } from './command-line.ts'
import { withDeps } from './with-deps.ts'

/** Commands act with the role of an admin, because the person who runs them has the secret. */
function helper(command: string): people.Helper {
  return { command: `vrata user ${command}`, role: 'admin', locale: 'en-US' }
}

/** `vrata user list [QUERY] [--status …] [--limit 100]`: one line for each person, newest first. */
export async function listUsers(config: Config, args: string[]): Promise<void> {
  const options = { status: { type: 'string' }, limit: { type: 'string' }, ...JSON_ONLY } as const
  const { values, positionals } = parseCommand(args, options)
  const status = adminUsers.USER_STATUSES.find((one) => one === values.status)
  if (values.status !== undefined && !status)
    throw new CommandError(`--status must be one of ${adminUsers.USER_STATUSES.join(', ')}.`, { exitCode: 2 })
  const most = Number(values.limit ?? 100)
  if (!Number.isInteger(most) || most < 1)
    throw new CommandError('--limit must be a whole number from 1.', { exitCode: 2 })
  const query = positionals.length > 0 ? positionals.join(' ') : undefined
  await withDeps(config, async (deps) => {
    let cursor: string | undefined
    for (let left = most; left > 0; ) {
      const limit = Math.min(left, LIMITS.page_max)
      const page = await people.listAdminUsers(deps, helper('list'), { query, status, cursor, limit })
      for (const one of page.data) console.log(values.json ? JSON.stringify(one) : lineOf(one))
      left -= page.data.length
      cursor = page.next_cursor ?? undefined
      if (cursor === undefined) return
    }
    if (!values.json) console.error('There are more; give a query or a higher --limit.')
  })
}

function lineOf({ id, email, status, operator_role, first_name, last_name }: adminUsers.AdminUser): string {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return [id, status.padEnd(11), email, name && `(${name})`, operator_role && `operator: ${operator_role}`]
    .filter(Boolean)
    .join('  ')
}

/** `vrata user show PERSON`: everything that operators see of a person, as JSON. */
export async function showUser(config: Config, args: string[]): Promise<void> {
  await withPerson(config, args, JSON_ONLY, async (deps, id, values) => {
    const person = await people.getAdminUser(deps, helper('show'), { id })
    console.log(JSON.stringify(person, null, values.json ? undefined : 2))
  })
}

/** `vrata user create --email ADDRESS [--first-name …] [--last-name …] [--group KEY …] [--invite]`. */
export async function createUser(config: Config, args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const names = { 'first-name': text, 'last-name': text } as const
  const { values, positionals } = parseCommand(args, {
    email: text,
    ...names,
    group: { type: 'string', multiple: true },
    invite: { type: 'boolean' },
    ...JSON_ONLY,
  })
  const input = adminUsers.createUser.body.safeParse({
    email: values.email,
    first_name: values['first-name'],
    last_name: values['last-name'],
    groups: values.group,
    send_invitation: values.invite ?? false,
  })
  requireNoArguments(positionals)
  if (!input.success) {
    const field = String(input.error.issues[0]?.path[0])
    const option = field === 'groups' ? 'group' : (field.replace('_', '-') as 'email' | keyof typeof names)
    throw wrongOption(option, values[option])
  }
  await withDeps(config, async (deps) => {
    const create = deps.transaction((tx) => people.createUser(tx, helper('create'), input.data))
    const person = await create.catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'email_exists')
        throw new CommandError(`${input.data.email} has an account already.`, { cause: error })
      if (error instanceof Problem && error.fields?.groups)
        throw new CommandError('--group names a group that does not exist.', { cause: error })
      throw error
    })
    if (values.json) return console.log(JSON.stringify(person))
    const next = values.invite
      ? 'gets a mail with a link that sets a password or passkey'
      : 'can choose a password by "Forgot password?"'
    console.log(`${person.email} has an account (${person.id}) and ${next}.`)
  })
}

/** `vrata user delete PERSON`: in 14 days, as the person would. */
export async function deleteUser(config: Config, args: string[]): Promise<void> {
  await change(config, args, JSON_ONLY, 'is signed out everywhere and will be deleted in 14 days', (tx, id) =>
    people.deleteUser(tx, helper('delete'), { id }),
  )
}

/** `vrata user restore PERSON`. */
export async function restoreUser(config: Config, args: string[]): Promise<void> {
  await change(config, args, JSON_ONLY, 'will not be deleted', (tx, id) =>
    people.restoreUser(tx, helper('restore'), { id }),
  )
}

/** `vrata user disable PERSON --reason TEXT`. */
export async function disableUser(config: Config, args: string[]): Promise<void> {
  const options = { reason: { type: 'string' }, ...JSON_ONLY } as const
  const { values } = parseCommand(args, options)
  const reason = reasonIn(values, 'the person reads it')
  await change(config, args, options, 'is disabled; all sessions and tokens have ended', (tx, id) =>
    people.disableUser(tx, helper('disable'), { id, reason }),
  )
}

function reasonIn(values: { reason?: string | undefined }, what: string): string {
  const reason = f.line(LIMITS.reason_max, 1).safeParse(values.reason)
  if (reason.success) return reason.data
  const message = `--reason must be one line of at most ${LIMITS.reason_max} characters: ${what}.`
  throw new CommandError(message, { exitCode: 2 })
}

/** `vrata user enable PERSON`. */
export async function enableUser(config: Config, args: string[]): Promise<void> {
  await change(config, args, JSON_ONLY, 'is enabled', (tx, id) => people.enableUser(tx, helper('enable'), { id }))
}

/** `vrata user sign-out PERSON`. */
export async function signOutUser(config: Config, args: string[]): Promise<void> {
  await change(config, args, JSON_ONLY, 'is signed out everywhere, also out of apps', (tx, id) =>
    people.endUserSessions(tx, helper('sign-out'), { id }),
  )
}

/** `vrata user unlock PERSON`. */
export async function unlockUser(config: Config, args: string[]): Promise<void> {
  await change(config, args, JSON_ONLY, 'can try again at once', (tx, id) =>
    people.unlockUser(tx, helper('unlock'), { id }),
  )
}

/** `vrata user reset PERSON`: a running server sends the mail. */
export async function resetUser(config: Config, args: string[]): Promise<void> {
  await change(
    config,
    args,
    JSON_ONLY,
    'gets a mail with a link to a new password, or to a new passkey where passwords are off',
    (tx, id) => people.sendPasswordReset(tx, helper('reset'), { id }),
  )
}

/** `vrata user reset-factors PERSON --reason TEXT [--immediately]`. */
export async function resetUserFactors(config: Config, args: string[]): Promise<void> {
  const options = { reason: { type: 'string' }, immediately: { type: 'boolean' }, ...JSON_ONLY } as const
  const { values } = parseCommand(args, options)
  const { immediately = false } = values
  const reason = reasonIn(values, 'how you know who asks; it is kept in the audit log')
  const done = immediately
    ? 'has neither passkeys nor a second factor any more, and gets a mail; without a password to sign in with, it has a link to a new passkey'
    : 'gets a mail, and has neither passkeys nor a second factor in 24 hours unless the person stops it'
  await change(config, args, options, done, (tx, id) =>
    people.resetFactors(tx, helper('reset-factors'), { id, reason, immediately }),
  )
}

type Options = NonNullable<Parameters<typeof parseCommand>[1]>

async function change(
  config: Config,
  args: string[],
  options: Options,
  done: string,
  rule: (tx: TransactionDeps, id: string) => Promise<adminUsers.AdminUserDetails>,
): Promise<void> {
  await withPerson(config, args, options, async (deps, id, values) => {
    const person = await deps.transaction((tx) => rule(tx, id))
    console.log(values.json ? JSON.stringify(person) : `${person.email} ${done}.`)
  })
}

/** Finds the person of the only argument, by address or id, and says problems in sentences. */
async function withPerson(
  config: Config,
  args: string[],
  options: Options,
  work: (deps: AppDeps, id: string, values: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const { values, positionals } = parseCommand(args, options)
  const person = onlyArgument(positionals, 'the email address or the id of one person')
  await withDeps(config, async (deps) => {
    const id = person.includes('@') ? (await findUserByEmail(deps.db, loginKey(person)))?.id : person
    await explained(work(deps, id ?? '', values as Record<string, unknown>), SENTENCES, person)
  })
}

const SENTENCES: Partial<Record<string, string>> = {
  not_found: 'No account has the address or id {subject}.',
  last_owner: '{subject} is the only owner of an organization with other members. Hand it over first.',
  last_operator: '{subject} is the last admin who can sign in. Add another one first.',
  account_disabled: '{subject} is disabled. Enable the account first.',
  sign_in_method_off:
    'The policy has turned off passwords, and {subject} has a passkey or second factor. Remove them by vrata user reset-factors.',
  no_factors: '{subject} has neither passkeys nor a second factor.',
  factor_reset_waiting: 'A removal waits for {subject} already. With --immediately it happens now.',
  too_many_requests: '{subject} has got several of these mails already. Try again in an hour.',
}
