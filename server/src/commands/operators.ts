import { OPERATOR_ROLES } from '@vrata/contract'
import * as f from '@vrata/contract/fields'
import { print } from '../adapters/standard-output.ts'
import type { Config } from '../config/config.ts'
import { findUserByEmail } from '../features/account/public.ts'
import { csvLines, jsonLines, verifyAudit } from '../features/audit/public.ts'
import { giveRole, listOperators, removeRole } from '../features/operators/public.ts'
import { CommandError, explained } from './command-error.ts'
import { JSON_ONLY, parseCommand, requireNoArguments } from './command-line.ts'
import { withDeps } from './with-deps.ts'

/** `vrata operator add EMAIL [--role admin]`: the account must exist and its address be confirmed. */
export async function addOperator(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, { role: { type: 'string' }, ...JSON_ONLY })
  const email = emailOf(positionals)
  const role = OPERATOR_ROLES.find((one) => one === (values.role ?? 'admin'))
  if (!role) throw new CommandError(`--role must be one of ${OPERATOR_ROLES.join(', ')}.`, { exitCode: 2 })
  await withDeps(config, async (deps) => {
    const operator = await explained(
      deps.transaction((tx) => giveRole(tx, { command: 'vrata operator add' }, { email, role })),
      { ...SENTENCES, not_found: 'No account with a confirmed address is {subject}.' },
      email,
    )
    if (values.json) return console.log(JSON.stringify(operator))
    console.log(`${email} is an operator with the role ${role}.`)
    if (!operator.second_factor)
      console.log('The role can be used once the account has a passkey or two-factor authentication.')
  })
}

/** `vrata operator remove EMAIL`. */
export async function removeOperator(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, JSON_ONLY)
  const email = emailOf(positionals)
  await withDeps(config, async (deps) => {
    await explained(
      deps.transaction(async (tx) => {
        const user = await findUserByEmail(tx.db, email)
        await removeRole(tx, { command: 'vrata operator remove' }, user?.id ?? '')
      }),
      { ...SENTENCES, not_found: '{subject} is no operator.' },
      email,
    )
    console.log(values.json ? JSON.stringify({ email, role: null }) : `${email} is no operator any more.`)
  })
}

/** `vrata operator list`: one line for each operator. */
export async function printOperators(config: Config, args: string[] = []): Promise<void> {
  const { values, positionals } = parseCommand(args, JSON_ONLY)
  requireNoArguments(positionals)
  await withDeps(config, async (deps) => {
    for (const operator of await listOperators(deps)) {
      const { user, role, second_factor } = operator
      const line = `${role.padEnd(7)}  ${user.email}${second_factor ? '' : '  (without second factor or passkey)'}`
      console.log(values.json ? JSON.stringify(operator) : line)
    }
  })
}

/** `vrata audit verify`: finds the first event that was changed or removed. Exits with 1 when there is one. */
export async function printAuditVerification(config: Config, args: string[] = []): Promise<void> {
  const { values, positionals } = parseCommand(args, JSON_ONLY)
  requireNoArguments(positionals)
  await withDeps(config, async (deps) => {
    const verification = await verifyAudit(deps.db)
    const { events, broken } = verification
    if (broken) process.exitCode = 1
    if (values.json) return console.log(JSON.stringify({ ok: !broken, ...verification }))
    if (!broken) return console.log(`The audit log is whole: ${events} ${events === 1 ? 'event' : 'events'}.`)
    console.error(
      broken.reason === 'changed'
        ? `Event ${broken.position} of the audit log was changed after it was recorded.`
        : `Event ${broken.position} of the audit log is missing.`,
    )
  })
}

/** `vrata audit export [--format csv|ndjson]`: writes the audit log to stdout, oldest first. */
export async function exportAuditLog(config: Config, args: string[]): Promise<void> {
  const options = { format: { type: 'string', default: 'ndjson' } } as const
  const { values, positionals } = parseCommand(args, options)
  requireNoArguments(positionals)
  const write = new Map([
    ['csv', csvLines],
    ['ndjson', jsonLines],
  ]).get(values.format)
  if (!write) throw new CommandError('--format must be csv or ndjson.', { exitCode: 2 })
  await withDeps(config, (deps) => print(write(deps.db, {})))
}

function emailOf(args: string[]): string {
  const email = f.email.safeParse(args[0])
  if (!email.success || args.length !== 1)
    throw new CommandError('Give the email address of one account.', { exitCode: 2 })
  return email.data
}

const SENTENCES: Partial<Record<string, string>> = {
  already_operator: '{subject} is an operator already. Remove the role first to give another one.',
  last_operator: '{subject} is the last admin who can sign in. Add another one first.',
}
