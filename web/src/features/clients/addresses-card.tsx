import { useId, useRef } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { ask } from '../../ui/ask.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { TextField, type TextFieldProps } from '../../ui/field.tsx'
import { Form, type FormRefusal, Submit } from '../../ui/form.tsx'
import { TrashIcon } from '../../ui/inner-icons.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'

type Change = (address: string) => Promise<FormRefusal | undefined>

export type AddressesCardProps = {
  title: string
  text: string
  empty: string
  /** Question of the dialog that confirms removing one. */
  removeTitle: string
  /** Who is hurt by removing one, where it is not signing in. */
  removeText?: string
  addresses: readonly string[]
  field: TextFieldProps & { name: string; label: string }
  /** Absent for those who may only look, as is `remove`. */
  add: Change | undefined
  remove: Change | undefined
}

/** A list of addresses of an app: add one in place, remove one after a warning (specification §8). */
export function AddressesCard(props: AddressesCardProps) {
  const { t } = useI18n()
  const id = useId()
  const { title, text, empty, removeTitle, removeText, addresses, field, add, remove } = props

  function askToRemove(address: string, remove: Change) {
    return ask({
      title: removeTitle,
      message: (
        <>
          <code className="block font-mono text-base break-all text-ink">{address}</code>
          <span className="mt-3 block">{removeText ?? t('clients.address.remove_text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.address.remove') }],
      danger: true,
      async send() {
        const refusal = await remove(address)
        if (refusal) return refusal
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

/** Stays where it is and ready for the next one. */
function AddForm({ field, add }: { field: AddressesCardProps['field']; add: Change }) {
  const { t } = useI18n()
  const input = useRef<HTMLInputElement>(null)

  async function submit(values: Record<string, string>): Promise<FormRefusal | undefined> {
    const refusal = await add(values[field.name]?.trim() ?? '')
    if (refusal) return refusal
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
