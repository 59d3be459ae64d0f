import { showUserCode } from '@vrata/contract/user-code'
import type { FormEvent } from 'react'
import { BOX, FieldFrame, type FieldFrameProps, useField } from '../../ui/field.tsx'

type Props = FieldFrameProps & {
  /** Said when letters are missing. */
  invalid: string
  defaultValue: string
}

/** Eight letters in two groups. What is no letter of a code is left out while typing, and the dash puts itself. */
export function DeviceCodeField({ invalid, defaultValue, ...field }: Props) {
  const { control, frame } = useField('user_code', field)

  function keepCode({ currentTarget, nativeEvent }: FormEvent<HTMLInputElement>) {
    const { value, selectionStart } = currentTarget
    // Whoever mends a letter in the middle, or deletes the dash, keeps their place.
    const deleting = (nativeEvent as InputEvent).inputType?.startsWith('delete')
    if (deleting || (selectionStart !== value.length && value === value.toUpperCase())) return
    const code = showUserCode(value)
    if (code !== value) currentTarget.value = code
  }

  return (
    <FieldFrame {...frame}>
      <input
        {...control}
        type="text"
        defaultValue={defaultValue}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        pattern="\W*([A-Za-z]\W*){8}"
        data-invalid={invalid}
        required
        // biome-ignore lint/a11y/noAutofocus: it is what the person has come for; a code that is there already is to be read first
        autoFocus={!defaultValue}
        onInput={keepCode}
        className={`${BOX} h-14 text-center font-mono text-head tracking-[0.2em] uppercase`}
      />
    </FieldFrame>
  )
}
