/** A section of the settings page. Each section is a separate form, so that two people can edit different sections at the same time. */
import type { ComponentChildren } from 'preact';
import type { ApplicationChange, EditableApplication } from '../../modules/applications/application-change.js';
import type { Application } from '../../modules/applications/application.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { readForm, type Fields, type FormBody, type FormState, type ReadForm, type ValuesOf } from '../form.js';
import type { LimitsUse } from './limits.js';

type FieldTexts = Readonly<Record<string, string>>;

export interface SectionFields {
  readonly form: FormState;
  readonly application: Application;
  /** Only on the page with the limits. */
  readonly use: LimitsUse | undefined;
  /** The channels that have no provider. */
  readonly unprovided: readonly ChannelName[];
  fieldProps(name: string): { form: FormState; name: string; label: string };
}

export interface Section {
  readonly id: string;
  readonly right: 'change' | 'own';
  readonly title: string;
  /** Confirms a change, if the title cannot be the subject of the sentence. */
  readonly notice?: string;
  readonly lead: ComponentChildren;
  /** Field labels, in form order. */
  readonly labels: FieldTexts;
  /** Returns the labels of fields in rows, which have no entries in `labels`. */
  readonly rowLabels?: (form: FormState) => FieldTexts;
  readonly read: (body: FormBody) => ReadForm<Fields>;
  readonly texts: (stored: EditableApplication) => FieldTexts;
  /** A field whose value is never shown again. It has no entry in `labels`, and may be left empty. */
  readonly secretField?: { readonly name: string; readonly label: string };
  /** Returns the field texts without secrets, for people who may not change the section. */
  readonly maskedTexts?: (stored: EditableApplication) => FieldTexts;
  /** Converts the form values to a change. Throws a {@link SettingError} if they contradict each other. */
  readonly change: (values: never) => ApplicationChange;
  readonly fields: (fields: SectionFields) => ComponentChildren;
  /** The label of a button that adds a row to the form. */
  readonly more?: string;
  /** Shown above the form, for example with a form that fills in recommended values. `action`: the address of the section's form. */
  readonly above?: (application: Application, action: string) => ComponentChildren;
  /** A checkbox that confirms changes with serious effects, such as a weaker protection. */
  readonly confirmation?: {
    readonly label: string;
    /** Returns the effects of the change, one on each line; "" if it needs no confirmation. */
    readonly effects: (stored: Application, change: ApplicationChange, use: LimitsUse | undefined) => string;
  };
}

/** Defines a section. Infers the parameter type of `change` from `readers`. */
export const defineSection = <F extends Fields>({
  readers,
  ...definition
}: Omit<Section, 'read' | 'change'> & {
  readonly readers: F;
  readonly change: (values: ValuesOf<F>) => ApplicationChange;
}): Section => ({ ...definition, read: (body) => readForm(readers, body) });
