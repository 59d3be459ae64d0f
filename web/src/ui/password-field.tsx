import { type ReactNode, useState } from 'react'
import { IconButton } from './button.tsx'
import { TextField, type TextFieldProps } from './field.tsx'
import { EyeIcon, EyeOffIcon } from './icons.tsx'
import { useWords } from './words.tsx'

/** A password with the eye that shows it. `meter` sits beneath, e.g. a `PasswordMeter`. */
export function PasswordField({ meter, ...rest }: Omit<TextFieldProps, 'type' | 'end'> & { meter?: ReactNode }) {
  const words = useWords()
  const [shown, setShown] = useState(false)
  const eye = (
    <IconButton label={shown ? words.hide_password : words.show_password} onClick={() => setShown(!shown)}>
      {shown ? <EyeOffIcon /> : <EyeIcon />}
    </IconButton>
  )
  return (
    <div>
      <TextField autoCapitalize="none" spellCheck={false} {...rest} type={shown ? 'text' : 'password'} end={eye} />
      {meter}
    </div>
  )
}
