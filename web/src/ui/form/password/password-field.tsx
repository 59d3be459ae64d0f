import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '../../button.tsx'
import { EyeIcon, EyeOffIcon } from '../../icons/icons.tsx'
import { useWords } from '../../words.tsx'
import { TextField, type TextFieldProps } from '../field.tsx'

/** Password input with a button that shows it. `meter` is rendered below with the id of its description. */
export function PasswordField({
  meter,
  ...rest
}: Omit<TextFieldProps, 'type' | 'end'> & { meter?: (id: string) => ReactNode }) {
  const words = useWords()
  const id = useId()
  const [shown, setShown] = useState(false)
  const eye = (
    <IconButton
      className="noscript:hidden"
      label={shown ? words.hide_password : words.show_password}
      onClick={() => setShown(!shown)}
    >
      {shown ? <EyeOffIcon /> : <EyeIcon />}
    </IconButton>
  )
  return (
    <div>
      <TextField
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        aria-describedby={meter && id}
        type={shown ? 'text' : 'password'}
        end={eye}
      />
      {meter?.(id)}
    </div>
  )
}
