import skillpick = require("skillpick");

const catalog = skillpick.Catalog.from([{ name: "pdf-forms" }]);
const pick: skillpick.Pick = catalog.select({ query: "form" }, { budget: null });
using disposed = catalog;
export = { xml: pick.xml, size: disposed.size };
