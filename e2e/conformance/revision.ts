import { execFileSync } from 'node:child_process'
import { ROOT } from '../../scripts/run-command.ts'

const git = (...words: string[]) => execFileSync('git', ['-C', ROOT, ...words], { encoding: 'utf8' }).trim()

/** The commit of the working tree, followed by `+` when files differ from it; documentation, to which runs write, does not count. */
export function revisionOfVrata(): string {
  const changes = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs')
  return git('rev-parse', '--short', 'HEAD') + (changes ? '+' : '')
}
