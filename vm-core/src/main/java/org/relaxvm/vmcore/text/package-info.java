/**
 * Executables as text. {@link org.relaxvm.vmcore.text.ExecutableText} and {@link
 * org.relaxvm.vmcore.text.Stats} print what Apache TVM prints; {@link
 * org.relaxvm.vmcore.text.Assembler} and {@link org.relaxvm.vmcore.text.FullText} read and print a
 * form that holds a whole executable; {@link org.relaxvm.vmcore.text.AsJava} prints Java source.
 */
@NullMarked
package org.relaxvm.vmcore.text;

import org.jspecify.annotations.NullMarked;
