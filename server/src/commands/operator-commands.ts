import type { Command } from './command.ts'

/** Commands about operators, their audit log and the settings of the installation (operators §1, §3 and §13). */
export const OPERATOR_COMMANDS: Record<string, Command> = {
  'operator add': {
    does: 'let an account run this installation',
    usage: 'EMAIL [--role admin|support|auditor] [--json]',
    run: async (config, args) => (await import('./operators.ts')).addOperator(config, args),
  },
  'operator remove': {
    does: 'take the role from an operator',
    usage: 'EMAIL [--json]',
    run: async (config, args) => (await import('./operators.ts')).removeOperator(config, args),
  },
  'operator list': {
    does: 'print the operators and their roles',
    usage: '[--json]',
    run: async (config, args) => (await import('./operators.ts')).printOperators(config, args),
  },
  'config export': {
    does: 'write policy, branding and groups as one document',
    usage: `[FILE] [--format yaml|json] [--members]

  FILE       written, or replaced; without it the document is printed
  --members  also the addresses of the members of groups`,
    run: async (config, args) => (await import('./configuration.ts')).exportConfiguration(config, args),
  },
  'config apply': {
    does: 'apply a document with policy, branding and groups, all of it or nothing',
    usage: `FILE [--dry-run] [--json]

  FILE       YAML, or JSON with a name that ends in .json; what it does not name stays. Pictures can be names of files beside it
  --dry-run  change nothing, and print what would change

Exits with 0 when the document is applied or nothing differs, 1 when it cannot be applied, 2 when the arguments or the
document are wrong, and 3 when a dry run finds differences.`,
    run: async (config, args) => (await import('./configuration.ts')).applyConfigurationFile(config, args),
  },
  'audit verify': {
    does: 'check that no event of the audit log was changed or removed',
    usage: '[--json]\n\nExits with 1 when one was.',
    run: async (config, args) => (await import('./operators.ts')).printAuditVerification(config, args),
  },
  'audit export': {
    does: 'print the audit log',
    usage: '[--format ndjson|csv]',
    run: async (config, args) => (await import('./operators.ts')).exportAuditLog(config, args),
  },
}
