import { useMatches } from '@tanstack/react-router'
import type { PhraseKey } from '@vrata/phrases/keys'
import { useI18n } from '../../lib/i18n.tsx'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/link.tsx'

/** What will be here, said honestly, and a way to what works already. One page for all rows that are not built yet. */
export function NotHerePage() {
  const { t } = useI18n()
  const { title, later } = useMatches({ select: (matches) => matches.at(-1)?.staticData }) ?? {}
  return (
    <section className="mx-auto grid w-full max-w-[30rem] justify-items-center gap-4 px-4 py-12 text-center">
      <ClosedArch />
      <p className="rounded-full bg-lamp-soft px-3 py-1 text-small font-semibold text-on-lamp">{t('later.label')}</p>
      <h1 className="text-head">{t(title ?? 'ui.title.not_found')}</h1>
      {later ? <p className="text-lead text-muted">{t(later)}</p> : null}
      <WayOn later={later} />
    </section>
  )
}

function WayOn({ later }: { later: PhraseKey | undefined }) {
  const { t } = useI18n()
  const user = useSession()
  if (later === 'later.security_password') {
    return <TextLink href={paths.changePassword}>{t('later.go.password')}</TextLink>
  }
  const inDeveloperArea = /later\.(?:users|members|organization)/.test(later ?? '')
  return inDeveloperArea && user?.developer_id ? (
    <TextLink href={paths.applications(user.developer_id)}>{t('later.go.applications')}</TextLink>
  ) : (
    <TextLink href={paths.home}>{t('later.go.home')}</TextLink>
  )
}

function ClosedArch() {
  return (
    <svg aria-hidden="true" width="88" height="112" viewBox="0 0 88 112" className="text-edge" fill="none">
      <path
        d="M8 108V44a36 36 0 0 1 72 0v64M2 108h84M44 8v100M52 66v10M36 66v10"
        stroke="currentColor"
        strokeWidth="2"
      />
    </svg>
  )
}
