/** The submit button of a form. `cancel` is the address of the link next to it. */
export function Submit({ label, cancel }: { readonly label: string; readonly cancel?: string }) {
  return (
    <div class="actions">
      <button class="button">{label}</button>
      {cancel !== undefined && (
        <a class="button subtle" href={cancel}>
          Cancel
        </a>
      )}
    </div>
  );
}
