import { useId } from 'react'
import { DateField } from '../form/date-field.tsx'
import { TextField } from '../form/field.tsx'
import { MultilineField } from '../form/multiline-field.tsx'
import { PasswordField } from '../form/password/password-field.tsx'
import { SelectField } from '../form/select-field.tsx'
import { ValidatedTextField } from '../form/validated-text-field.tsx'
import { lazyComponent } from '../lazy-component.ts'
import type { DialogFieldOptions } from './show-dialog.ts'

const SearchList = lazyComponent(() => import('../form/search-list.tsx'), 'SearchList')

/** One field of the dialog. */
export function DialogField({ field }: { field: DialogFieldOptions }) {
  const suggestions = useId()
  switch (field.kind) {
    case 'text': {
      const { kind: _, exactly, live, value, shownFor, ...rest } = field
      const native = {
        ...rest,
        defaultValue: value,
        // `exactly` becomes a pattern, so that the browser validates it.
        pattern: exactly ? literal(exactly) : rest.pattern,
        autoComplete: rest.autoComplete ?? 'off',
      }
      return live ? <ValidatedTextField {...native} look={live} /> : <TextField {...native} />
    }
    case 'password': {
      const { kind: _, value, ...rest } = field
      return <PasswordField {...rest} defaultValue={value} />
    }
    case 'multiline': {
      const { kind: _, value, shownFor, ...rest } = field
      return <MultilineField {...rest} defaultValue={value} />
    }
    case 'select':
      return (
        <SelectField name={field.name} label={field.label} hint={field.hint} defaultValue={field.value}>
          {field.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      )
    case 'date':
      return <DateField {...field} />
    case 'list':
      // The dialog waits for the list, which gets the first focus.
      return <SearchList {...field} />
    case 'datalist': {
      const { kind: _, value, options, ...rest } = field
      return (
        <>
          <TextField {...rest} defaultValue={value} list={suggestions} autoComplete="off" />
          <datalist id={suggestions}>
            {options.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        </>
      )
    }
    case 'disabled':
      return <TextField name={field.name} label={field.label} hint={field.hint} defaultValue={field.value} readOnly />
    case 'description':
      return <div className="text-muted">{field.text}</div>
  }
}

/** Pattern that matches only this text. Browsers show several spaces, and other kinds of them, as one. */
function literal(text: string): string {
  const escaped = (word: string) =>
    word.replace(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
  return text.split(/\s+/).map(escaped).join('\\s+')
}
