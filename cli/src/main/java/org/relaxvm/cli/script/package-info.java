/**
 * Script cases: sequences of calls that share objects, with what each gave. Start reading at {@link
 * org.relaxvm.cli.script.ScriptFormat}.
 */
@NullMarked
package org.relaxvm.cli.script;

import org.jspecify.annotations.NullMarked;
