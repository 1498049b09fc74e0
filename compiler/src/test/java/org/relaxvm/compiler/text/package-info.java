/** Tests of the text form of Relax modules. */
@NullMarked
package org.relaxvm.compiler.text;

import org.jspecify.annotations.NullMarked;
