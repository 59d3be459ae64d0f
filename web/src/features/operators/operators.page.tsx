import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { OPERATOR_ROLES, type OperatorRole } from '@vrata/contract/operator-roles'
import type { OperatorInfo } from '@vrata/contract/operators'
import * as operators from '@vrata/contract/operators'
import { callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { readAgain } from '../../lib/api/read-again.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { loadUser, useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'

/** Highest first. */
const ROLES = OPERATOR_ROLES.toReversed()
/** Choice of the dialog that takes the role. */
const NONE = 'none'

/** Operators of the installation. Administrators add, change and remove operators. */
export function OperatorsPage() {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const user = useUser()
  const { formErrors } = useFormErrors()
  const list = callQuery(context, operators.listOperators, {})
  const { data, error, refetch } = useQuery(list)
  const mayChange = user.operator_role === 'admin'
  const options = ROLES.map((role) => ({ value: role, label: t(`operators.role.${role}`) }))

  const renew = () => context.queries.invalidateQueries({ queryKey: list.queryKey })

  async function finish(sentence: string): Promise<undefined> {
    await renew()
    toast(sentence)
    await readAgain(followOwnRole())
  }

  /** The own role may have changed, and no longer open this page. */
  async function followOwnRole() {
    if ((await loadUser(context))?.operator_role !== user.operator_role) await router.invalidate()
  }

  const add = () =>
    showDialog({
      title: t('operators.add'),
      message: t('operators.add.text'),
      fields: [
        { kind: 'text', type: 'email', name: 'email', label: t('operators.add.email'), required: true },
        { kind: 'select', name: 'role', label: t('operators.role'), hint: t('operators.role.hint'), options },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('operators.add') }],
      async onSubmit({ email = '', role }) {
        const answer = await context.api(operators.addOperator, { email, role: role as OperatorRole })
        if (answer.ok) return await finish(t('operators.added'))
        if (answer.problem.code === 'not_found') return { fields: { email: t('operators.add.missing') } }
        void renew()
        return formErrors(answer, { already_operator: 'email' })
      },
    })

  const change = ({ user: { id: user_id, ...person }, role: current }: OperatorInfo) =>
    showDialog({
      title: t('operators.change_of', { name: accountName({ ...person, username: null }) }),
      fields: [
        {
          kind: 'select',
          name: 'role',
          label: t('operators.role'),
          hint: t('operators.role.hint'),
          value: current,
          options: [...options, { value: NONE, label: t('operators.none') }],
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('operators.change') }],
      async onSubmit({ role }) {
        const answer =
          role === NONE
            ? await context.api(operators.removeOperator, { user_id, seen_role: current })
            : await context.api(operators.changeOperator, { user_id, role: role as OperatorRole, seen_role: current })
        if (answer.ok) return await finish(t('operators.changed'))
        // Another administrator may have changed or removed the operator meanwhile.
        void renew()
        return formErrors(answer)
      },
    })

  return (
    <div className="space-y-6">
      <PageHead
        title={t('operators.title')}
        text={t('operators.text')}
        action={mayChange && <Button onClick={() => void add()}>{t('operators.add')}</Button>}
      />
      <Card>
        {data ? (
          <Rows label={t('operators.title')}>
            {data.map((one) => {
              const name = accountName({ ...one.user, username: null })
              return (
                <Row
                  key={one.user.id}
                  picture={<Picture kind="user" url={one.user.profile_picture} name={name} size={40} />}
                  label={name}
                  text={one.second_factor ? <EmailAddress>{one.user.email}</EmailAddress> : t('operators.unprotected')}
                  value={t(`operators.role.${one.role}`)}
                  long
                  {...(mayChange ? { onClick: () => void change(one) } : {})}
                />
              )
            })}
          </Rows>
        ) : error ? (
          <ErrorState
            title={t('operators.failed')}
            text={t('operators.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={3} label={t('operators.loading')} />
        )}
      </Card>
    </div>
  )
}
