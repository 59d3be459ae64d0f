import { useQuery } from '@tanstack/react-query'
import type { Access } from '@vrata/contract/client-access'
import * as clientAccess from '@vrata/contract/client-access'
import type { ClientInfo } from '@vrata/contract/clients'
import { callQuery } from '../../../lib/api/call-query.ts'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { LoadingCard } from '../../../lib/clients/loading-card.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { AlertIcon } from '../../../ui/icons/icons.tsx'
import { PeopleIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { Card, CardHead } from '../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../ui/layout/row.tsx'
import { accessErrors, accessFields, accessOf, mergedAccess } from './access-fields.ts'

/** The access rule of the app, for members who may change it. */
export function AccessCard({ app }: { app: ClientInfo }) {
  const mayChange = can(useUser(), clientAccess.setAccess)
  return mayChange ? <CurrentAccess app={app} /> : null
}

function CurrentAccess({ app: { client_id: id } }: { app: ClientInfo }) {
  const i18n = useI18n()
  const { t } = i18n
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const query = callQuery(context, clientAccess.getAccess, { id })
  const read = useQuery(query)
  const access = read.data

  const change = (current: Access) =>
    showDialog({
      title: t('clients.access.title'),
      message: t('clients.access.change_text'),
      fields: accessFields(i18n, current),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.access.change') }],
      async onSubmit(values) {
        const now = context.queries.getQueryData(query.queryKey) ?? current
        const answer = await context.api(clientAccess.setAccess, {
          id,
          ...mergedAccess(current, accessOf(values), now),
        })
        if (answer.ok) {
          context.queries.setQueryData(query.queryKey, answer.data)
          toast(t('clients.access.changed'))
          return
        }
        return accessErrors(i18n, answer.problem.fields?.groups === 'unknown', formErrors(answer))
      },
    })

  if (!access) return <LoadingCard title={t('clients.access.title')} query={read} />
  return (
    <Card aria-labelledby="access">
      <CardHead
        id="access"
        title={t('clients.access.title')}
        action={<Button onClick={() => void change(access)}>{t('clients.access.change')}</Button>}
      />
      {access.mode === 'everyone' ? (
        <p className="mx-5 mb-5 flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent sm:mx-6">
          <AlertIcon className="mt-0.5 shrink-0" />
          <span>
            <strong className="block">{t('clients.access.everyone')}</strong>
            {t('clients.access.everyone_text')}
          </span>
        </p>
      ) : (
        <Rows>
          <Row
            key="access"
            icon={PeopleIcon}
            label={t(`clients.access.${access.mode}`)}
            text={<Explanation {...access} />}
          />
        </Rows>
      )}
    </Card>
  )
}

function Explanation({ mode, groups, people }: Access) {
  const { t } = useI18n()
  if (mode === 'groups' && groups.length === 0) return t('clients.access.nobody_text')
  if (mode === 'groups') return t('clients.access.groups_text', { list: groups.join(', ') })
  if (mode === 'people') return t('clients.access.people_text', { list: people.join(', ') })
  return null
}
