import { failWhenOutputIsLost } from './adapters/standard-output.ts'
import type { Command } from './commands/command.ts'
import { CommandError } from './commands/command-error.ts'
import { parseCommand, requireNoArguments } from './commands/command-line.ts'
import { OPERATOR_COMMANDS } from './commands/operator-commands.ts'
import { type Config, ConfigError, readConfig, readSettings } from './config/config.ts'
import { endIfHeld, endProcess } from './lib/end-process.ts'
import { Interrupted } from './lib/interruption.ts'
import { VERSION } from './version.ts'

/** The commands of api §8.1. Each loads only what it needs. */
const COMMANDS: Record<string, Command> = {
  serve: {
    does: 'apply pending migrations, then start the server',
    runWithNewSecret: async (configOf, args) => {
      requireNoArguments(parseCommand(args, {}).positionals)
      await (await import('./main.ts')).serve(configOf())
    },
  },
  migrate: {
    does: 'apply pending database migrations',
    usage: '[--json]',
    runWithNewSecret: async (configOf, args) => (await import('./commands/upgrade.ts')).migrate(configOf, args),
  },
  backup: {
    does: 'write everything into one file, while the server runs',
    usage: `FILE [--with-secret] [--json]

  FILE           must not exist yet
  --with-secret  also write the secret, encrypted with VRATA_BACKUP_PASSPHRASE or a passphrase that is asked for`,
    run: async (config, args) => (await import('./backup/commands.ts')).backup(config, args),
  },
  verify: {
    does: 'check a backup without restoring it',
    usage: 'FILE [--json]',
    runWithoutSecret: async (settings, args) => (await import('./backup/commands.ts')).verify(settings, args),
  },
  restore: {
    does: 'restore a backup into an empty place, and compare everything with it',
    usage: `FILE [--to sqlite|postgres] [--json]

  --to  sqlite: the data folder; postgres: the database of VRATA_DATABASE_URL; by default what the settings say

The settings of the target decide: VRATA_DATA_DIR, VRATA_DATABASE_URL, and VRATA_SECRET unless the backup has the secret.`,
    runWithoutSecret: async (settings, args) => (await import('./backup/commands.ts')).restore(settings, args),
  },
  export: {
    does: 'write everything as lines of JSON that other programs can read',
    usage: 'FILE [--json]\n\nThe format is that of a backup, not compressed and without the secret.',
    run: async (config, args) => (await import('./backup/commands.ts')).exportLines(config, args),
  },
  import: {
    does: 'the same as restore, for an exported file',
    usage: 'FILE [--to sqlite|postgres] [--json]',
    runWithoutSecret: async (settings, args) => (await import('./backup/commands.ts')).restore(settings, args),
  },
  seed: {
    does: 'fill an empty database with people who do not exist, for measurements',
    usage: `--users N [--sessions-per-user 3] [--apps-per-user 2] [--tokens-per-user 5] [--activities-per-user 10] [--apps 20] [--json]

Prints the password of the people and the secret of the apps, which are new each time.`,
    runWithoutSecret: async (settings, args) => (await import('./seed/commands.ts')).seed(settings, args),
  },
  upgrade: {
    does: 'try the pending migrations on a copy of the database',
    usage: `--rehearse [--json]

Copies the database, runs the pending migrations on the copy, prints how long each takes and who waits for it, and
deletes the copy. Servers go on working. The upgrade itself is "vrata migrate", or the start of the new version.`,
    runWithoutSecret: async (settings, args) => (await import('./commands/upgrade.ts')).upgrade(settings, args),
  },
  'secret rotate': {
    does: 'replace VRATA_SECRET, or the secret in the data folder, and encrypt everything with the new one',
    usage: `[--finish] [--json]

  --finish  when all servers run with the new secret: stop accepting the old one`,
    run: async (config, args) => (await import('./commands/rotate-secret.ts')).rotateSecret(config, args),
  },
  'keys list': {
    does: 'print the ids and states of the signing keys',
    usage: '[--json]',
    run: async (config, args) => (await import('./commands/keys.ts')).listSigningKeys(config, args),
  },
  'keys rotate': {
    does: 'create new signing keys; tokens signed with the old ones stay valid',
    usage: '[--json]',
    run: async (config, args) => (await import('./commands/keys.ts')).rotateSigningKeys(config, args),
  },
  'keys revoke': {
    does: 'delete signing keys in an emergency; tokens signed with them are rejected',
    usage: 'KID … [--json]\n\nKID: the id of a key, as "vrata keys list" prints it',
    run: async (config, args) => (await import('./commands/keys.ts')).revokeSigningKeys(config, args),
  },
  'client registration-token': {
    does: 'print a token for registering apps',
    usage: `ORGANIZATION EMAIL [--uses 1] [--days 1] [--pkce-optional] [--json]

  ORGANIZATION     id of the organization, from its URL
  EMAIL            a member, in whose name the apps are registered
  --uses           number of apps that may be registered
  --pkce-optional  apps with a secret may sign in without PKCE`,
    run: async (config, args) => (await import('./commands/registration-token.ts')).giveRegistrationToken(config, args),
  },
  'client list': {
    does: 'print the registered apps by name',
    usage:
      '[QUERY] [--status enabled|pending|rejected|disabled] [--organization ID] [--json]\n\nQUERY: part of the name, or an id',
    run: async (config, args) => (await import('./commands/clients.ts')).listClients(config, args),
  },
  'client show': {
    does: 'print what operators see of an app',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/clients.ts')).showClient(config, args),
  },
  'client create': {
    does: 'create an app of an organization, and print its id and secret',
    usage: '--organization ID --name NAME [--type web|spa|native|service] [--redirect-uri URI] [--json]',
    run: async (config, args) => (await import('./commands/clients.ts')).createClient(config, args),
  },
  'client approve': {
    does: 'approve an app that waits, or was rejected; the person who asked gets a mail',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/clients.ts')).approveClient(config, args),
  },
  'client reject': {
    does: 'reject an app, or take its approval back; sign-ins and tokens end, and the person who asked gets a mail',
    usage: 'ID [--reason TEXT] [--json]',
    run: async (config, args) => (await import('./commands/clients.ts')).rejectClient(config, args),
  },
  'client disable': {
    does: 'disable an app; sign-ins and tokens end, and its developers cannot enable it',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/clients.ts')).disableClient(config, args),
  },
  'client enable': {
    does: 'enable a disabled app',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/clients.ts')).enableClient(config, args),
  },
  'client secret': {
    does: 'replace the secret of an app and print the new one',
    usage: 'ID [--grace] [--json]\n\n  --grace  the old secret stays valid for 24 hours',
    run: async (config, args) => (await import('./commands/clients.ts')).replaceSecret(config, args),
  },
  'organization list': {
    does: 'print the organizations, newest first',
    usage: '[QUERY] [--status active|pending|rejected|disabled] [--json]\n\nQUERY: part of the name, or an id',
    run: async (config, args) => (await import('./commands/organizations.ts')).listOrganizations(config, args),
  },
  'organization show': {
    does: 'print what operators see of an organization',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/organizations.ts')).showOrganization(config, args),
  },
  'organization create': {
    does: 'create an organization of an account, which needs no approval, and print its id',
    usage: '--name NAME --owner EMAIL [--json]',
    run: async (config, args) => (await import('./commands/organizations.ts')).createOrganization(config, args),
  },
  'organization approve': {
    does: 'approve an organization that waits, or was rejected; the person who asked gets a mail',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/organizations.ts')).approveOrganization(config, args),
  },
  'organization reject': {
    does: 'reject an organization, or take its approval back; its apps stop, and the person who asked gets a mail',
    usage: 'ID [--reason TEXT] [--json]',
    run: async (config, args) => (await import('./commands/organizations.ts')).rejectOrganization(config, args),
  },
  'organization disable': {
    does: 'disable an organization with all its apps',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/organizations.ts')).disableOrganization(config, args),
  },
  'organization enable': {
    does: 'enable a disabled organization and the apps that were disabled with it',
    usage: 'ID [--json]',
    run: async (config, args) => (await import('./commands/organizations.ts')).enableOrganization(config, args),
  },
  'user list': {
    does: 'print people, newest first',
    usage:
      '[QUERY] [--status active|unconfirmed|disabled|deleting] [--limit 100] [--json]\n\nQUERY: beginnings of words of name, user name and address, or an id',
    run: async (config, args) => (await import('./commands/users.ts')).listUsers(config, args),
  },
  'user show': {
    does: 'print what operators see of a person',
    usage: 'EMAIL|ID [--json]',
    run: async (config, args) => (await import('./commands/users.ts')).showUser(config, args),
  },
  'user create': {
    does: 'create an account',
    usage: `--email ADDRESS [--first-name NAME] [--last-name NAME] [--group KEY] [--invite] [--json]

  --group   put the person into this group; may be given several times
  --invite  mail the person a link, valid for 7 days, that sets a password or passkey; a running server sends it`,
    run: async (config, args) => (await import('./commands/users.ts')).createUser(config, args),
  },
  'user delete': {
    does: 'delete an account in 14 days; everything that is open ends now',
    usage: 'EMAIL|ID [--json]\n\nThe person is mailed. Signing in before, or "vrata user restore", cancels it.',
    run: async (config, args) => (await import('./commands/users.ts')).deleteUser(config, args),
  },
  'user restore': {
    does: 'cancel the deletion of an account',
    usage: 'EMAIL|ID [--json]',
    run: async (config, args) => (await import('./commands/users.ts')).restoreUser(config, args),
  },
  'user disable': {
    does: 'disable an account; all sessions and tokens end',
    usage: 'EMAIL|ID --reason TEXT [--json]\n\nThe person reads the reason after signing in with the right password.',
    run: async (config, args) => (await import('./commands/users.ts')).disableUser(config, args),
  },
  'user enable': {
    does: 'enable a disabled account',
    usage: 'EMAIL|ID [--json]',
    run: async (config, args) => (await import('./commands/users.ts')).enableUser(config, args),
  },
  'user sign-out': {
    does: 'sign a person out everywhere, also out of apps',
    usage: 'EMAIL|ID [--json]',
    run: async (config, args) => (await import('./commands/users.ts')).signOutUser(config, args),
  },
  'user unlock': {
    does: 'lift the waits after wrong passwords and codes',
    usage: 'EMAIL|ID [--json]',
    run: async (config, args) => (await import('./commands/users.ts')).unlockUser(config, args),
  },
  'user reset': {
    does: 'mail a person the link that sets a new password, or a new passkey where passwords are off',
    usage: 'EMAIL|ID [--json]',
    run: async (config, args) => (await import('./commands/users.ts')).resetUser(config, args),
  },
  'user reset-factors': {
    does: 'remove passkeys and second factor of a person, in 24 hours',
    usage:
      'EMAIL|ID --reason TEXT [--immediately] [--json]\n\n  --reason       how you know who asks; kept in the audit log\n  --immediately  do not wait 24 hours, in which the person can stop it',
    run: async (config, args) => (await import('./commands/users.ts')).resetUserFactors(config, args),
  },
  ...OPERATOR_COMMANDS,
  doctor: {
    does: 'check settings, proxies, database, secret, disk, clock, certificates, mail and backups',
    usage:
      '[--mail ADDRESS] [--hash] [--json]\n\n  --mail  also send a test mail to this address\n  --hash  also measure password hashes, and propose VRATA_PASSWORD_COST',
    run: async (config, args) => (await import('./doctor/doctor.ts')).doctor(config, args),
  },
}

async function main(): Promise<void> {
  const given = process.argv.slice(2)
  if (['--version', 'version'].includes(given[0] ?? '')) return console.log(VERSION)
  const words = given[0] === 'help' ? given.slice(1) : given
  const help = words !== given || words.includes('--help') || words.includes('-h')
  const name = [words.slice(0, 2).join(' '), words[0] ?? (help ? '' : 'serve')].find((one) =>
    Object.hasOwn(COMMANDS, one),
  )
  const command = name === undefined ? undefined : COMMANDS[name]
  if (!name || !command) {
    const isGroup = printCommands(words[0])
    if (help && (isGroup || words[0] === undefined || words[0].startsWith('-'))) return
    throw new CommandError(`\nThere is no command "${words.slice(0, 2).join(' ')}".`, { exitCode: 2 })
  }
  if (help) return console.log(`vrata ${name} ${command.usage ?? ''}\n\n${command.does}`)
  const rest = words.slice(name.split(' ').length)
  // A server continues without it.
  if (name !== 'serve') failWhenOutputIsLost()
  if ('runWithoutSecret' in command) await command.runWithoutSecret(readSettings(process.env), rest)
  else if ('runWithNewSecret' in command) await command.runWithNewSecret(() => readConfig(process.env), rest)
  else await command.run(existingConfig(), rest)
  if (name !== 'serve') await endIfHeld()
}

/** A command that created a secret in a wrong folder would prevent restoring into it. */
function existingConfig(): Config {
  const { secret, ...settings } = readSettings(process.env)
  if (secret !== undefined) return { ...settings, secret }
  throw new CommandError(
    `There is no secret: VRATA_SECRET is not set, and ${settings.data_dir} has none. No server has been started with these settings.`,
  )
}

/** Prints the commands that begin with a word, such as `user`, or all of them; returns whether there are some that do. */
function printCommands(word: string | undefined): boolean {
  const group = Object.entries(COMMANDS).filter(([key]) => key.startsWith(`${word} `))
  const printed = group.length > 0 ? group : Object.entries(COMMANDS)
  const width = Math.max(...printed.map(([key]) => key.length))
  console.log('vrata <command>\n')
  for (const [key, { does }] of printed) console.log(`  ${key.padEnd(width)}  ${does}`)
  console.log('\nvrata <command> --help prints the arguments of a command, vrata --version the version.')
  return group.length > 0
}

main().catch(async (error) => {
  const { failureSentence } = await import('./commands/failure.ts')
  const stack = () => (error instanceof Error ? (error.stack ?? error.message) : error)
  if (error instanceof ConfigError) console.error(`These settings are not valid:\n\n${error.message}\n`)
  else if (error instanceof CommandError) console.error(error.message)
  else console.error(failureSentence(error) ?? stack())
  await endProcess(error instanceof CommandError || error instanceof Interrupted ? error.exitCode : 1)
})
