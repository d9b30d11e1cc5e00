// Definition of the file drop: lists as hotels and student homes export them, as files.
import type { Parameter } from '#contract/parameters.ts'
import { graceParameter, silenceParameter, type PropertySystemDefinition } from '#server/property-systems/definition.ts'

const parameter = (key: string, label: string, help: string, more: Partial<Parameter> = {}): Parameter => ({
  key,
  label,
  kind: 'text',
  choices: [],
  required: false,
  once: false,
  help,
  ...more,
})

export const definition: PropertySystemDefinition = {
  id: 6,
  name: 'File drop',
  parameters: [
    parameter(
      'public_key',
      'Public key',
      'Of the program that sends the files by SFTP, as ssh-keygen writes it into the file that ends in .pub.',
    ),
    parameter('day_order', 'Dates such as 03/04/2026', 'Only needed where neither the list nor the country shows it.', {
      kind: 'choice',
      choices: [
        { value: 'day_first', label: 'The day comes first' },
        { value: 'month_first', label: 'The month comes first' },
      ],
    }),
    parameter('sheet', 'Sheet', 'The name of the sheet, of a workbook with several lists.'),
    graceParameter,
    silenceParameter,
  ],
  fields: [],
  note:
    'Each file is the whole list of rooms and guests, as a .csv or .xlsx: guests who are no longer in it ' +
    'have left. A column with the number ' +
    'of the reservation lets guests keep their devices when they move. Send them by SFTP to the address that this interface shows, ' +
    'with the key whose public part is given here; or have them put into its folder of inbox/ on the server or in its bucket. ' +
    'A file is read once a file of the same name with .done is beside it, or when it has not changed for a minute. It is then moved ' +
    'to done/ or failed/.',
}
