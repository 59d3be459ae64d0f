import { lazy, Suspense, useId } from 'react'
import type { AskField } from './ask.ts'
import { DateField } from './date-field.tsx'
import { MultilineField, TextField } from './field.tsx'
import { LiveTextField } from './live-text-field.tsx'
import { PasswordField } from './password-field.tsx'
import { SelectField } from './select-field.tsx'

const SearchList = lazy(() => import('./search-list.tsx').then((module) => ({ default: module.SearchList })))

/** One field of the shared dialog. */
export function DialogField({ field }: { field: AskField }) {
  const suggestions = useId()
  switch (field.kind) {
    case 'text': {
      const { kind: _, exactly, live, value, ...rest } = field
      const native = {
        ...rest,
        defaultValue: value,
        // "Only this very text" is a pattern to the browser, so that it is checked like every other constraint.
        pattern: exactly ? literal(exactly) : rest.pattern,
        autoComplete: rest.autoComplete ?? 'off',
      }
      return live ? <LiveTextField {...native} look={live} /> : <TextField {...native} />
    }
    case 'password': {
      const { kind: _, value, ...rest } = field
      return <PasswordField {...rest} defaultValue={value} />
    }
    case 'multiline': {
      const { kind: _, value, ...rest } = field
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
      return (
        <Suspense fallback={<TextField name={field.name} label={field.label} readOnly />}>
          <SearchList {...field} />
        </Suspense>
      )
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

/** The text as a pattern that matches nothing else. */
function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N} ]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
}
