import { useId, useRef } from 'react'
import { useI18n } from '../../../../lib/i18n.tsx'
import { IconButton } from '../../../../ui/button.tsx'
import { showDialog } from '../../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../../ui/feedback/toast.ts'
import { TextField, type TextFieldProps } from '../../../../ui/form/field.tsx'
import { Form, Submit, type SubmitErrors } from '../../../../ui/form/form.tsx'
import { TrashIcon } from '../../../../ui/icons/signed-in-icons.tsx'
import { Card, CardBody, CardHead } from '../../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../../ui/layout/row.tsx'

type Change = (address: string) => Promise<SubmitErrors | undefined>

export type AddressListCardProps = {
  title: string
  text: string
  empty: string
  /** Title of the dialog that confirms removal. */
  removeTitle: string
  /** Consequence of removal where it is not failing sign-ins. */
  removeText?: string
  addresses: readonly string[]
  field: TextFieldProps & { name: string; label: string }
  /** Undefined without permission, as is `remove`. */
  add: Change | undefined
  remove: Change | undefined
}

/** List of addresses of an app: add in place, remove after confirmation (product §8.4). */
export function AddressListCard(props: AddressListCardProps) {
  const { t } = useI18n()
  const id = useId()
  const { title, text, empty, removeTitle, removeText, addresses, field, add, remove } = props

  function askToRemove(address: string, remove: Change) {
    return showDialog({
      title: removeTitle,
      message: (
        <>
          <code className="block font-mono text-base break-all text-ink">{address}</code>
          <span className="mt-3 block">{removeText ?? t('clients.address.remove_text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.address.remove') }],
      danger: true,
      async onSubmit() {
        const errors = await remove(address)
        if (errors) return errors
        toast(t('clients.address.removed'))
      },
    })
  }

  return (
    <Card aria-labelledby={id}>
      <CardHead id={id} title={title} text={text} />
      {addresses.length > 0 ? (
        <Rows label={title}>
          {addresses.map((address) => (
            <Row
              key={address}
              label={<code className="font-mono font-normal break-all">{address}</code>}
              action={
                remove && (
                  <IconButton
                    label={t('clients.address.remove_one', { address })}
                    onClick={() => void askToRemove(address, remove)}
                  >
                    <TrashIcon />
                  </IconButton>
                )
              }
            />
          ))}
        </Rows>
      ) : (
        <p className="px-5 pb-5 text-muted sm:px-6">{empty}</p>
      )}
      {add && (
        <CardBody className="border-t border-line">
          <AddForm field={field} add={add} />
        </CardBody>
      )}
    </Card>
  )
}

/** Keeps focus for the next address. */
function AddForm({ field, add }: { field: AddressListCardProps['field']; add: Change }) {
  const { t } = useI18n()
  const input = useRef<HTMLInputElement>(null)

  async function submit(values: Record<string, string>): Promise<SubmitErrors | undefined> {
    const errors = await add(values[field.name]?.trim() ?? '')
    if (errors) return errors
    if (input.current) {
      input.current.value = ''
      input.current.focus()
    }
  }

  return (
    <Form onSubmit={submit}>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-start">
        <TextField
          {...field}
          ref={input}
          hideLabel
          className="grow"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
        />
        <Submit look="quiet">{t('clients.address.add')}</Submit>
      </div>
    </Form>
  )
}
