/**
 * The kernel library, defined slowly: each kernel is a function from an index to an element. Start
 * at {@link org.relaxvm.backendtestkit.definition.Definitions}. The conformance tests compare
 * devices with these definitions, and the reference backend runs them.
 */
@NullMarked
package org.relaxvm.backendtestkit.definition;

import org.jspecify.annotations.NullMarked;
