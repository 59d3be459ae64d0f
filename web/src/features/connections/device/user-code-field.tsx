import { showUserCode } from '@vrata/contract/user-code'
import type { FormEvent } from 'react'
import { BOX, FieldFrame, type FieldFrameProps, useField } from '../../../ui/form/field.tsx'

type Props = FieldFrameProps & {
  /** Shown when characters are missing. */
  invalid: string
  defaultValue: string
}

/** Eight letters in two groups. Other characters are removed while typing, and the dash is inserted. */
export function UserCodeField({ invalid, defaultValue, ...field }: Props) {
  const { control, frame } = useField('user_code', field)

  function formatCode({ currentTarget, nativeEvent }: FormEvent<HTMLInputElement>) {
    const { value, selectionStart } = currentTarget
    // Keeps the cursor position while editing in the middle or deleting.
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
        // biome-ignore lint/a11y/noAutofocus: the main field of the page; a prefilled code is compared first
        autoFocus={!defaultValue}
        onInput={formatCode}
        className={`${BOX} h-14 text-center font-mono text-head tracking-[0.2em] uppercase`}
      />
    </FieldFrame>
  )
}
