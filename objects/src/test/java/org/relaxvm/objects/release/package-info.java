/** Tests of the conversion between releases. */
@NullMarked
package org.relaxvm.objects.release;

import org.jspecify.annotations.NullMarked;
