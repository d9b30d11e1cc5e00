// Which property: asked first if a dialog is opened without a property.
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { go, here } from '#web/kit/navigation/go.ts'
import { withModal } from '#web/paths.ts'

export const WhichProperty = ({ of }: { of: 'property-holiday' | 'suggested-holidays' }) => (
  <NameSelect
    label="Property"
    name="property_id"
    to="properties"
    value={undefined}
    onChange={(property_id) =>
      property_id !== undefined && go(withModal(here(), of, { property_id }), { replace: true })
    }
    hint="Each property has its own holidays."
  />
)
