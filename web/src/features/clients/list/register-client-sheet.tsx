import { useRouter } from '@tanstack/react-router'
import * as clients from '@vrata/contract/clients'
import { CLIENT_TYPES, type ClientType } from '@vrata/contract/clients'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { constraintsOf } from '../../../lib/api/constraints.ts'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { setClientInfo } from '../../../lib/clients/client-queries.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/content/copy-field.tsx'
import { Sheet } from '../../../ui/dialog/sheet.tsx'
import { SheetFoot } from '../../../ui/dialog/sheet-foot.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { MultilineField } from '../../../ui/form/multiline-field.tsx'
import { normalUriError } from '../normal-uri.ts'
import { OneTimeSecret } from '../one-time-secret.tsx'
import { ClientTypeField } from './client-type-field.tsx'

type Registered = { client_id: string; client_secret: string | null }

/** Registers an app, then shows its credentials once. Closing leads to the app. */
export function RegisterClientSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useI18n()
  const router = useRouter()
  const { developer_id, operator_role } = useUser()
  const waits = useAppContext().policy?.app_creation === 'approved' && operator_role !== 'admin'
  const [registered, setRegistered] = useState<Registered>()
  const [done, setDone] = useState(false)

  function close() {
    onClose()
    // The credentials stay visible while the dialog closes.
    if (registered) {
      setDone(true)
      void router.navigate({ href: paths.client(developer_id ?? '', registered.client_id, 'development') })
    }
  }

  return (
    <Sheet
      // Closed before the answer, it opens again: the answer alone has the secret.
      open={open || (registered !== undefined && !done)}
      onClose={close}
      shownOnce={registered !== undefined}
      title={t(registered ? 'clients.register.done' : 'clients.register.title')}
      message={[
        t(registered ? 'clients.register.done_text' : 'clients.register.text'),
        waits && t('clients.register.approved'),
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <div className="mt-6">
        {registered ? (
          <div className="space-y-5">
            <CopyField label={t('clients.client_id')} text={registered.client_id} />
            {registered.client_secret && <OneTimeSecret secret={registered.client_secret} />}
            <Button look="primary" wide onClick={close}>
              {t('clients.register.go')}
            </Button>
          </div>
        ) : (
          <RegisterForm onRegistered={setRegistered} onCancel={close} />
        )}
      </div>
    </Sheet>
  )
}

function RegisterForm({ onRegistered, onCancel }: { onRegistered: (app: Registered) => void; onCancel: () => void }) {
  const words = useI18n()
  const { t } = words
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const [type, setType] = useState<ClientType>('web')

  async function register({ name = '', redirect_uri, description }: Record<string, string>) {
    const answer = await context.api(clients.createClient, {
      name,
      type,
      description: description || null,
      ...(redirect_uri ? { redirect_uri } : {}),
    })
    if (!answer.ok) {
      const error = normalUriError(words, redirect_uri ?? '', answer.problem.fields?.redirect_uri)
      if (error) return { fields: { redirect_uri: error } }
      return formErrors(answer)
    }
    const { client_secret, ...info } = answer.data
    setClientInfo(context, info)
    onRegistered({ client_id: info.client_id, client_secret })
  }

  return (
    <Form onSubmit={register}>
      <TextField
        name="name"
        label={t('clients.name')}
        hint={t('clients.name_hint')}
        autoComplete="off"
        {...constraintsOf(clients.createClient, 'name')}
      />
      <ClientTypeField label={t('clients.register.kind')} kinds={CLIENT_TYPES} value={type} onChange={setType} />
      {type !== 'service' && (
        <TextField
          name="redirect_uri"
          label={t('clients.uris.label')}
          optional={t('menu.optional')}
          hint={t('clients.uris.text')}
          placeholder={type === 'native' ? 'com.example.app:/callback' : 'https://example.com/callback'}
          autoComplete="off"
          spellCheck={false}
          {...constraintsOf(clients.createClient, 'redirect_uri')}
        />
      )}
      <MultilineField
        name="description"
        label={t('clients.description')}
        optional={t('menu.optional')}
        rows={2}
        maxLength={constraintsOf(clients.createClient, 'description').maxLength}
      />
      <SheetFoot>
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Submit>{t('clients.register.submit')}</Submit>
      </SheetFoot>
    </Form>
  )
}
