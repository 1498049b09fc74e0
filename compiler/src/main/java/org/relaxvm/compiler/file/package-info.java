/** Programs in Relax IR as files: text beside an archive of its constants. */
@NullMarked
package org.relaxvm.compiler.file;

import org.jspecify.annotations.NullMarked;
