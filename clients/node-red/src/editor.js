/** Forms of the nodes in Node-RED's editor. build.mjs passes the description of the fields. */
globalThis.passbellEditor = ((description) => {
  const { fields, choices, operations, templates, variables, previews, events } = description;
  const TYPES = ['str', 'msg', 'flow', 'global', 'env', 'jsonata'];

  const optionsOf = (entries, empty) => [
    { value: '', label: empty },
    ...Object.entries(entries).map(([value, label]) => ({ value, label })),
  ];

  /** A type with a list of choices, and types for values that are known only when the flow runs. */
  const choose = (options) => [{ value: 'str', label: 'Choice', showLabel: false, options }, 'msg', 'jsonata'];

  const typesOf = (name) => {
    const list = fields[name]?.choices;
    return list ? choose(optionsOf(choices[list], list === 'channels' ? 'Automatic' : 'Default')) : TYPES;
  };

  const input = (name) => $(`#node-input-${name}`);
  const makeTyped = (name, types) => input(name).typedInput({ default: 'str', types, typeField: input(`${name}Type`) });

  /** The selected template, or undefined if it is known only when the flow runs. */
  const selectedTemplate = () =>
    input('templateType').typedInput('type') === 'str'
      ? templates[input('templateType').typedInput('value')]
      : undefined;

  function variableRow(name, isRequired, { value = '', type = 'str' } = {}) {
    const { label, help, sample } = variables[name];
    const field = $('<input type="text">').attr({ placeholder: sample, 'data-variable': name }).css('width', '70%');
    const row = $('<div class="form-row">').append(
      $('<label>')
        .text(isRequired ? `${label} *` : label)
        .attr('title', help),
    );
    row.append(field).appendTo('#passbell-variables');
    field.typedInput({ default: 'str', types: TYPES });
    field.typedInput('type', type);
    field.typedInput('value', value);
  }

  const enteredVariables = () =>
    Object.fromEntries(
      $('#passbell-variables [data-variable]')
        .toArray()
        .map((field) => [
          $(field).attr('data-variable'),
          { value: $(field).typedInput('value'), type: $(field).typedInput('type') },
        ])
        .filter(([, { value }]) => value !== ''),
    );

  /** Shows the text and the fields of the selected template, or the fields of all templates of the kind. */
  function showTemplate(stored) {
    const kind = input('kind').val();
    const template = selectedTemplate();
    const known = template ? [template] : Object.values(templates).filter((entry) => entry.kind === kind);
    const names = known.flatMap(({ required, oneOf, optional }) => [...required, ...oneOf, ...optional]);
    const values = { ...stored, ...enteredVariables() };
    $('#passbell-variables').empty();
    $('#passbell-preview').text(template ? previews[input('templateType').typedInput('value')] : '');
    for (const name of new Set(names)) variableRow(name, template?.required.includes(name) ?? false, values[name]);
  }

  function prepareTemplates(node) {
    const showKind = () => {
      const ofKind = Object.entries(templates).filter(([, { kind }]) => kind === input('kind').val());
      const options = ofKind.map(([value, { label }]) => ({ value, label }));
      const value = input('templateType').typedInput('value');
      input('templateType').typedInput('types', choose(options));
      const isKnown = ofKind.some(([name]) => name === value);
      if (selectedTemplate() || !isKnown) input('templateType').typedInput('value', isKnown ? value : options[0].value);
      showTemplate(node.variables);
    };
    makeTyped('templateType', choose(Object.entries(templates).map(([value, { label }]) => ({ value, label }))));
    input('kind').on('change', showKind);
    input('templateType').on('change', () => showTemplate(node.variables));
    showKind();
  }

  /** Prepares the form of a node that calls an operation. `outputs`: without the one for failures. */
  function prepare(node, operation, outputs) {
    const { required, optional } = operations[operation];
    for (const name of [...required, ...optional]) if (name !== 'templateType') makeTyped(name, typesOf(name));
    input('failures').on('change', () =>
      input('outputs').val(outputs + (input('failures').val() === 'output' ? 1 : 0)),
    );
    if (required.includes('templateType')) prepareTemplates(node);
  }

  const saveVariables = (node) => {
    const before = JSON.stringify(node.variables);
    node.variables = enteredVariables();
    return JSON.stringify(node.variables) !== before;
  };

  function prepareEvents(node) {
    for (const [name, { label, help }] of Object.entries(events)) {
      const box = $('<input type="checkbox">')
        .attr('data-event', name)
        .prop('checked', node.events[name] === true);
      const text = $('<label>')
        .css('width', 'auto')
        .append(box.css({ width: 'auto', margin: '0 6px 0 0' }));
      text.append(document.createTextNode(`${label}: ${help}`));
      $('<div class="form-row">').append(text).appendTo('#passbell-events');
    }
  }

  const saveEvents = (node) => {
    const before = JSON.stringify(node.events);
    const checked = $('#passbell-events [data-event]:checked').toArray();
    node.events = Object.fromEntries(checked.map((box) => [$(box).attr('data-event'), true]));
    return JSON.stringify(node.events) !== before;
  };

  return { prepare, saveVariables, prepareEvents, saveEvents };
})(globalThis.passbellDescription);
