import { useRouter, useSearch } from '@tanstack/react-router'
import type { DeveloperAccount } from '@vrata/contract/account'
import { safeRedirect } from '@vrata/contract/redirect'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, switchDeveloper, useUser } from '../../lib/session.ts'
import { isSilence } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PlusIcon } from '../../ui/inner-icons.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Shimmer } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useCreateDeveloper } from './create-developer.tsx'
import { IntroPage } from './intro.page.tsx'

/** Which developer account? Nobody is asked who has only one; who has none is told what they are for. */
export function SelectPage() {
  const { t } = useI18n()
  const { developer_accounts: accounts } = useUser()
  const create = useCreateDeveloper()
  const { choose, choosing, failed } = useChoice()
  const [only, ...others] = accounts
  const asks = others.length > 0
  const sent = useRef<string>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival, and when a failed choice has changed the accounts
  useEffect(() => {
    if (asks || !only || sent.current === only.developer_id) return
    sent.current = only.developer_id
    void choose(only)
  }, [only, asks])

  if (!only) return <IntroPage />
  if (!asks && failed) {
    return (
      <ErrorState heading="h1" title={t('developers.select.failed')} text={failed} onRetry={() => void choose(only)} />
    )
  }
  if (!asks) return <Shimmer className="h-40" corner="rounded-card" />
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
              text={t(`ui.level.${account.permission}`)}
              busy={choosing === account.developer_id}
              onClick={() => void choose(account)}
            />
          </li>
        ))}
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
        <span className="block text-lead font-semibold">{name}</span>
        <span className="block text-muted">{text}</span>
      </span>
      {busy && <span aria-hidden="true" className="light-strip absolute inset-x-0 bottom-0 h-0.75" />}
    </button>
  )
}

/** Makes an account current and goes where the person was headed; the guard puts the account into that path. */
function useChoice() {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: string }
  const { sentence } = useRefusal()
  const [choosing, setChoosing] = useState<string>()
  const [failed, setFailed] = useState<string>()

  async function choose({ developer_id }: DeveloperAccount) {
    if (choosing) return
    setChoosing(developer_id)
    setFailed(undefined)
    const answer = await switchDeveloper(wires, developer_id)
    if (answer.ok) {
      await router.navigate({ href: safeRedirect(redirect) ?? paths.applications(developer_id), replace: true })
    } else if (isSilence(answer.http)) {
      setFailed(sentence(answer))
    } else {
      toast(t('ui.no_access.developer'))
      await loadUser(wires)
    }
    setChoosing(undefined)
  }

  return { choose, choosing, failed }
}
