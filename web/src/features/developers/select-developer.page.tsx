import { useRouter, useSearch } from '@tanstack/react-router'
import type { DeveloperAccount } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import { safeRedirect } from '@vrata/contract/redirect'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isUnavailable } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { membershipText } from '../../lib/organizations/membership-text.ts'
import { loadUser, switchDeveloper, useUser } from '../../lib/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Shimmer } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { PlusIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { DevelopersIntroPage } from './developers-intro.page.tsx'
import { useCreateDeveloper } from './use-create-developer.tsx'

/**
 * Choice of the developer account. With one account it is chosen automatically; without any the introduction is shown.
 */
export function SelectDeveloperPage() {
  const i18n = useI18n()
  const { t } = i18n
  const { developer_accounts: accounts } = useUser()
  const create = useCreateDeveloper()
  const { choose, choosing, failed } = useChoice()
  const [only, ...others] = accounts
  const hasChoice = others.length > 0
  const sent = useRef<string>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the accounts change
  useEffect(() => {
    if (hasChoice || !only || sent.current === only.developer_id) return
    sent.current = only.developer_id
    void choose(only)
  }, [only, hasChoice])

  if (!only) return <DevelopersIntroPage />
  if (!hasChoice && failed) {
    return (
      <ErrorState heading="h1" title={t('developers.select.failed')} text={failed} onRetry={() => void choose(only)} />
    )
  }
  if (!hasChoice) return <Shimmer className="h-40" corner="rounded-card" />
  return (
    <>
      <PageHead title={t('developers.select.title')} text={t('developers.select.text')} />
      <div role="alert" className="empty:hidden">
        {failed && <p className="font-medium text-danger">{failed}</p>}
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 sm:gap-4">
        {accounts.map((account) => (
          <li key={account.developer_id}>
            <BigCard
              picture={<Picture kind="developer" url={account.logo} name={account.name} size={72} />}
              name={account.name}
              text={membershipText(i18n, account)}
              busy={choosing === account.developer_id}
              onClick={() => void choose(account)}
            />
          </li>
        ))}
        {create && (
          <li>
            <BigCard
              picture={
                <span className="flex size-18 shrink-0 items-center justify-center rounded-arch border border-dashed border-edge text-muted">
                  <PlusIcon size={24} />
                </span>
              }
              name={t('developers.create.do')}
              text={t('developers.select.create_text')}
              onClick={() => void create()}
            />
          </li>
        )}
      </ul>
    </>
  )
}

type BigCardProps = { picture: ReactNode; name: string; text: string; busy?: boolean; onClick: () => void }

function BigCard({ picture, name, text, busy = false, onClick }: BigCardProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      onClick={onClick}
      className="relative flex size-full min-h-28 items-center gap-4 overflow-hidden rounded-card border border-line bg-surface p-5 text-left shadow-card transition-colors duration-150 hover:border-edge"
    >
      {picture}
      <span className="min-w-0 grow">
        <span className="block text-lead font-semibold wrap-anywhere">{name}</span>
        <span className="block text-muted">{text}</span>
      </span>
      {busy && <span aria-hidden="true" className="progress-strip absolute inset-x-0 bottom-0 h-0.75" />}
    </button>
  )
}

/** Switches the account and continues. The guard adds the account to the path. */
function useChoice() {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: string }
  const { errorMessage } = useFormErrors()
  const [choosing, setChoosing] = useState<string>()
  const [failed, setFailed] = useState<string>()

  async function choose({ developer_id }: DeveloperAccount) {
    if (choosing) return
    setChoosing(developer_id)
    setFailed(undefined)
    const answer = await switchDeveloper(context, developer_id)
    if (answer.ok) {
      await router.navigate({ href: safeRedirect(redirect) ?? paths.applications(developer_id), replace: true })
    } else if (isUnavailable(answer.http)) {
      setFailed(errorMessage(answer))
    } else {
      toast(t('menu.no_access.developer'))
      await loadUser(context)
    }
    setChoosing(undefined)
  }

  return { choose, choosing, failed }
}
