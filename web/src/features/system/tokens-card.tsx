import { useQuery } from '@tanstack/react-query'
import type { RegistrationTokenInfo } from '@vrata/contract/system'
import * as system from '@vrata/contract/system'
import { callQuery } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/content/copy-field.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Row } from '../../ui/layout/row.tsx'
import { ListCard } from './list-card.tsx'

/** Tokens with which programs register apps. Administrators create and delete them. */
export function TokensCard() {
  const { t } = useI18n()
  const context = useAppContext()
  const { operator_role } = useUser()
  const { formErrors } = useFormErrors()
  const list = callQuery(context, system.listRegistrationTokens, {})
  const { data, error, refetch } = useQuery(list)
  const mayChange = operator_role === 'admin'
  const renew = () => context.queries.invalidateQueries({ queryKey: list.queryKey })

  const create = () =>
    showDialog({
      title: t('system.tokens.create'),
      fields: [
        {
          kind: 'text',
          name: 'developer_id',
          label: t('system.tokens.organization'),
          hint: t('system.tokens.organization.hint'),
          required: true,
          maxLength: 64,
        },
        {
          kind: 'text',
          type: 'email',
          name: 'email',
          label: t('system.tokens.email'),
          hint: t('system.tokens.email.hint'),
          required: true,
        },
        {
          kind: 'text',
          name: 'uses',
          label: t('system.tokens.uses'),
          value: '1',
          required: true,
          pattern: '[1-9][0-9]{0,3}|10000',
        },
        {
          kind: 'text',
          name: 'days',
          label: t('system.tokens.days'),
          value: '1',
          required: true,
          pattern: '[1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-5]',
        },
        {
          kind: 'select',
          name: 'pkce',
          label: t('system.tokens.pkce'),
          options: [
            { value: 'required', label: t('system.tokens.pkce.required') },
            { value: 'optional', label: t('system.tokens.pkce.optional') },
          ],
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('system.tokens.create') }],
      async onSubmit({ developer_id = '', email = '', uses, days, pkce }) {
        const terms = { uses: Number(uses), days: Number(days), pkce_optional: pkce === 'optional' }
        const answer = await context.api(system.createRegistrationToken, {
          developer_id: developer_id.trim(),
          email,
          ...terms,
        })
        // Not awaited: only the answer has the token. Without an answer the list shows whether there is a new one.
        void renew()
        if (answer.ok) return void show(answer.data)
        if (answer.problem.code === 'not_found') return { fields: { email: t('system.tokens.missing') } }
        return formErrors(answer)
      },
    })

  const show = ({ token, registration_on }: { token: string; registration_on: boolean }) =>
    showDialog({
      title: t('system.tokens.created'),
      message: t('system.tokens.created.text'),
      fields: [
        {
          kind: 'description',
          text: (
            <div className="space-y-3">
              <CopyField label={t('system.tokens.created')} text={token} />
              {!registration_on && <p>{t('system.tokens.off')}</p>}
            </div>
          ),
        },
      ],
      buttons: [{ label: t('system.tokens.close') }],
      shownOnce: true,
    })

  const remove = ({ id }: RegistrationTokenInfo) =>
    showDialog({
      title: t('system.tokens.delete'),
      message: t('system.tokens.delete.text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('system.tokens.delete') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(system.deleteRegistrationToken, { id })
        if (!answer.ok && answer.problem.code !== 'not_found') return formErrors(answer)
        await renew()
        toast(t('system.tokens.delete.done'))
      },
    })

  return (
    <ListCard
      title={t('system.tokens')}
      text={t('system.tokens.text')}
      action={mayChange && <Button onClick={() => void create()}>{t('system.tokens.create')}</Button>}
      rows={data?.map((token) => (
        <TokenRow key={token.id} token={token} onRemove={mayChange ? () => void remove(token) : undefined} />
      ))}
      failed={error !== null}
      onRetry={() => void refetch()}
      none={t('system.tokens.none')}
    />
  )
}

function TokenRow({ token, onRemove }: { token: RegistrationTokenInfo; onRemove: (() => void) | undefined }) {
  const { t, format } = useI18n()
  const { developer, user, uses_left, expires_at } = token
  return (
    <Row
      label={developer.name}
      text={[t('system.tokens.name', { name: user.name }), t('system.tokens.left', { count: uses_left })].join(' · ')}
      value={t('system.tokens.until', { date: format.date(parseServerTime(expires_at)) })}
      {...(onRemove ? { onClick: onRemove } : {})}
    />
  )
}
