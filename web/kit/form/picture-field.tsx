// Picture field: a picture of a record: the stored one, or a newly chosen one that is uploaded with the save.
//
//   <PictureField form={form} name="image" types={picture.types} bytes_max={picture.file_bytes_max} />
import { useState } from 'react'
import { messages } from '#contract/messages.ts'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { FileLine } from '#web/ui/file-line.tsx'
import { Notice } from '#web/ui/state.tsx'
import { isClearable, type Schema } from './form-state.ts'
import { useField } from './use-field.ts'
import type { Form, NameIn } from './use-form.ts'

/** What the API returns for a stored picture. */
export interface KeptPicture {
  name: string
  width: number
  height: number
}

export interface PictureFieldProps<S extends Schema> {
  form: Form<S>
  name: NameIn<S>
  label?: string
  types: readonly string[]
  bytes_max: number
}

/** Why the file is rejected before it is sent. */
function rejectionOf(files: readonly File[], { types, bytes_max }: { types: readonly string[]; bytes_max: number }) {
  const [file] = files
  if (files.length > 1) return messages.imports.oneFile
  if (!file || !types.some((type) => file.name.toLowerCase().endsWith(type)))
    return `Please choose a file of type ${types.join(', ')}.`
  return file.size > bytes_max ? messages.imports.tooLarge : undefined
}

export function PictureField<S extends Schema>(props: PictureFieldProps<S>) {
  const { form, name, types, bytes_max } = props
  const { label, value, set, control, readOnly } = useField(form, name, props.label)
  const [rejection, setRejection] = useState<string>()
  const chosen = value instanceof File ? value : undefined
  const kept = !chosen && value ? (value as KeptPicture) : undefined
  if (readOnly) return <FieldFact label={label}>{kept?.name}</FieldFact>
  const take = (files: File[]) => {
    const sentence = rejectionOf(files, { types, bytes_max })
    setRejection(sentence)
    if (!sentence) set(files[0])
  }
  const problem = rejection ?? control.error
  return (
    <>
      {chosen || kept ? (
        <FileLine
          icon="brandings"
          name={(chosen ?? kept)?.name ?? ''}
          {...(chosen ? { bytes: chosen.size } : { detail: `${kept?.width ?? 0} × ${kept?.height ?? 0} pixels` })}
          types={types}
          onFiles={take}
          {...(isClearable(form.schema, name) ? { onRemove: () => set(null) } : {})}
        />
      ) : (
        <DropZone label={label} types={types} onFiles={take} invalid={problem !== undefined}>
          One picture: {types.join(', ')}, up to {Math.floor(bytes_max / 1_000_000)} MB
        </DropZone>
      )}
      {problem && <Notice tone="error">{problem}</Notice>}
    </>
  )
}
