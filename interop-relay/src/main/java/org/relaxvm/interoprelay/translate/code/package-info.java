/**
 * Relax bytecode as a control flow graph: calls in basic blocks, before offsets and register
 * numbers are final. Translators make it, {@link
 * org.relaxvm.interoprelay.translate.code.BlockLayout} emits it.
 */
@NullMarked
package org.relaxvm.interoprelay.translate.code;

import org.jspecify.annotations.NullMarked;
