/**
 * Executables as text. {@link org.relaxvm.vmcore.text.ExecutableText} and {@link
 * org.relaxvm.vmcore.text.Stats} print what Apache TVM prints.
 */
@NullMarked
package org.relaxvm.vmcore.text;

import org.jspecify.annotations.NullMarked;
