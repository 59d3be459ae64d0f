import { useQuery } from '@tanstack/react-query'
import type { SigningKeyInfo } from '@vrata/contract/system'
import * as system from '@vrata/contract/system'
import { callQuery } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Row } from '../../ui/layout/row.tsx'
import { ListCard } from './list-card.tsx'

const LOOKS = { active: 'on', next: 'accent', retired: 'off' } as const

/** Characters of the id that are shown, and typed before a key is revoked. */
const SHOWN = 12

/** The signing keys. Administrators change and revoke them. */
export function KeysCard() {
  const { t } = useI18n()
  const context = useAppContext()
  const { operator_role } = useUser()
  const { formErrors } = useFormErrors()
  const list = callQuery(context, system.listSigningKeys, {})
  const { data, error, refetch } = useQuery(list)
  const mayChange = operator_role === 'admin'

  const rotate = () =>
    showDialog({
      title: t('system.keys.rotate'),
      message: t('system.keys.rotate.text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('system.keys.rotate') }],
      async onSubmit() {
        const answer = await context.api(system.rotateSigningKeys, {})
        if (!answer.ok) {
          // Where the answer alone was lost, the keys are changed.
          void refetch()
          return formErrors(answer)
        }
        context.queries.setQueryData(list.queryKey, answer.data)
        toast(t('system.keys.rotate.done'))
      },
    })

  const revoke = ({ kid }: SigningKeyInfo) => {
    const word = kid.slice(0, SHOWN)
    return showDialog({
      title: t('system.keys.revoke'),
      message: t('system.keys.revoke.text'),
      fields: [
        {
          kind: 'text',
          name: 'confirm',
          label: t('system.keys.revoke.confirm', { word }),
          required: true,
          exactly: word,
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('system.keys.revoke') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(system.revokeSigningKey, { kid })
        if (answer.ok) {
          context.queries.setQueryData(list.queryKey, answer.data)
          toast(t('system.keys.revoke.done'))
          return
        }
        if (answer.problem.code !== 'not_found') return formErrors(answer)
        await refetch()
        toast(t('system.keys.revoke.gone'))
      },
    })
  }

  return (
    <ListCard
      title={t('system.keys')}
      text={t('system.keys.text')}
      action={mayChange && <Button onClick={() => void rotate()}>{t('system.keys.rotate')}</Button>}
      rows={data?.map((key) => (
        <KeyRow key={key.kid} info={key} onRevoke={mayChange ? () => void revoke(key) : undefined} />
      ))}
      failed={error !== null}
      onRetry={() => void refetch()}
      none=""
    />
  )
}

function KeyRow({ info, onRevoke }: { info: SigningKeyInfo; onRevoke: (() => void) | undefined }) {
  const { t, format } = useI18n()
  const { kid, alg, state, published, changed_at } = info
  return (
    <Row
      label={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {alg} <Badge look={LOOKS[state]}>{t(`system.keys.state.${state}`)}</Badge>
        </span>
      }
      text={
        <>
          <code className="font-mono">{kid.slice(0, SHOWN)}…</code>
          {!published && ` · ${t('system.keys.hidden')}`}
        </>
      }
      value={format.date(parseServerTime(changed_at))}
      long
      {...(onRevoke ? { onClick: onRevoke } : {})}
    />
  )
}
