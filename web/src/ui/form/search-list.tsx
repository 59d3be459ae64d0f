import { Combobox } from '@base-ui/react/combobox'
import { useState } from 'react'
import type { SelectOption } from '../dialog/show-dialog.ts'
import { ChevronDownIcon } from '../icons/icons.tsx'
import { CheckIcon } from '../icons/signed-in-icons.tsx'
import { useWords } from '../words.tsx'
import { CONTROL, FieldFrame, type FieldFrameProps, useField } from './field.tsx'

export type SearchListProps = FieldFrameProps & {
  name: string
  options: readonly SelectOption[]
  value?: string
  required?: boolean
  placeholder?: string
}

/** A searchable list that submits the `value` of the chosen option. 41 KB: load it lazily. */
export function SearchList({ name, options, value, required, placeholder, ...rest }: SearchListProps) {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const { control, frame } = useField(name, rest)
  return (
    <FieldFrame {...frame}>
      <Combobox.Root
        items={options}
        name={name}
        required={required}
        defaultValue={options.find((option) => option.value === value) ?? null}
        autoHighlight
        onOpenChange={setOpen}
      >
        <Combobox.InputGroup className="relative">
          <Combobox.Input
            id={control.id}
            aria-invalid={control['aria-invalid']}
            aria-describedby={control['aria-describedby']}
            placeholder={placeholder ?? words.search}
            // While the list is closed Escape belongs to the dialog; Base UI would clear the value.
            onKeyDown={(event) => event.key === 'Escape' && !open && event.preventBaseUIHandler()}
            className={`${CONTROL} h-12 pr-12`}
          />
          <Combobox.Trigger
            tabIndex={-1}
            aria-label={words.search}
            className="absolute top-0.5 right-0.5 flex size-11 items-center justify-center rounded-control text-muted"
          >
            <ChevronDownIcon />
          </Combobox.Trigger>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={6} className="z-40">
            <Combobox.Popup className="w-(--anchor-width) overflow-hidden rounded-control border border-line bg-surface text-ink shadow-popup transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0">
              <Combobox.Empty>
                <p className="px-4 py-3 text-muted">{words.nothing_found}</p>
              </Combobox.Empty>
              <Combobox.List className="max-h-[min(18rem,var(--available-height))] overflow-y-auto overscroll-contain p-1.5 outline-none data-empty:p-0">
                {(option: SelectOption) => (
                  <Combobox.Item
                    key={option.value}
                    value={option}
                    className="flex min-h-11 cursor-pointer items-center gap-3 rounded-row px-3 py-2 outline-none data-highlighted:bg-brand-soft"
                  >
                    <span className="min-w-0 grow">{option.label}</span>
                    <Combobox.ItemIndicator>
                      <CheckIcon className="text-brand" />
                    </Combobox.ItemIndicator>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </FieldFrame>
  )
}
